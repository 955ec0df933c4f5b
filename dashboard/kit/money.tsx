import { Tooltip } from '@mantine/core';
import { formatCents, formatCentsShort } from './format.ts';

/**
 * An amount in cents, as dollars and cents; the exact amount on hover where it has more decimals, and a mark that it
 * has.
 */
export function Money({ cents }: { readonly cents: number }) {
  const exact = formatCents(cents);
  const short = formatCentsShort(cents);
  if (exact === short) return <span className="figure">{short}</span>;
  return (
    <Tooltip label={`Exactly ${exact}`}>
      <span className="figure" tabIndex={0}>
        {short}
      </span>
    </Tooltip>
  );
}
