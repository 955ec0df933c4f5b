import { Group, Stack, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bar-list.module.css';
import { formatCount, formatRatio } from './format.ts';

export interface Bar {
  readonly id: string;
  readonly label: ReactNode;
  readonly count: number;
  /** In a sentence, on hover. */
  readonly hint?: string | undefined;
  readonly tone?: 'plain' | 'good' | 'bad';
  /** What 100 % of this one is, where it is another whole than the list's; null: it is told without a share. */
  readonly of?: number | null;
}

interface BarListProps {
  /** What is counted, for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What 100 % is; the sum of all by default. */
  readonly of?: number;
  /** Steps stay as they are given. */
  readonly inOrder?: boolean;
}

/** Counts as bars beside their names, the largest first: reasons, outcomes, shares. */
export function BarList({ label, bars, of, inOrder = false }: BarListProps) {
  const wholeOfAll = of ?? bars.reduce((sum, { count }) => sum + count, 0);
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const shown = inOrder ? bars : [...bars].sort((a, b) => b.count - a.count);
  return (
    <Stack gap={8} component="ul" aria-label={label} p={0} m={0} style={{ listStyle: 'none' }}>
      {shown.map(({ id, label: name, count, hint, tone = 'plain', of: whole = wholeOfAll }) => (
        <li key={id}>
          <Tooltip label={hint} disabled={hint === undefined}>
            <Group justify="space-between" gap="sm" wrap="nowrap" tabIndex={hint === undefined ? undefined : 0}>
              <Text size="sm" component="div" truncate>
                {name}
              </Text>
              <Text size="sm" className="figure" component="div">
                {formatCount(count)}
                {whole !== 0 && (
                  <span className={classes.share}>{whole !== null && ` ${formatRatio(count / whole)}`}</span>
                )}
              </Text>
            </Group>
          </Tooltip>
          <div className={classes.track} aria-hidden="true">
            <div
              className={classes.bar}
              data-tone={tone}
              data-none={count === 0 || undefined}
              style={{ width: `${(count / largest) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </Stack>
  );
}
