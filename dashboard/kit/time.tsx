import { Text, Tooltip } from '@mantine/core';
import { formatAgo, formatLocal, formatUtc } from './format.ts';

interface TimeProps {
  readonly at: string | number | null | undefined;
  /** `3 minutes ago` instead of the instant, which is then shown on hover. */
  readonly ago?: boolean;
  /** What is said where there is none. */
  readonly none?: string;
}

/** An instant in UTC, with the reader's own time on hover. */
export function Time({ at, ago = false, none = '—' }: TimeProps) {
  if (at === null || at === undefined)
    return (
      <Text span c="dimmed" inherit>
        {none}
      </Text>
    );
  const utc = formatUtc(at);
  return (
    <Tooltip label={ago ? `${utc} · here ${formatLocal(at)}` : `Here: ${formatLocal(at)}`}>
      <time dateTime={new Date(at).toISOString()} className="figure">
        {ago ? formatAgo(at) : utc}
      </time>
    </Tooltip>
  );
}
