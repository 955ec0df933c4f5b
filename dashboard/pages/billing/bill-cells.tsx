import { Skeleton, Text, Tooltip } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { formatCount } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Status } from '../../kit/status.tsx';
import { type Bill, sumsOf } from './billing.ts';

export type Kind = 'publisher' | 'dsp';
export type Cell = 'status' | 'impressions' | 'gross' | 'fee' | 'due';

interface BillCellProps {
  readonly kind: Kind;
  readonly id: string;
  readonly month: string;
  readonly cell: Cell;
}

/** A source's bill of one month: asked for once for all cells of its row, when the row comes into view. */
export function BillCell({ kind, id, month, cell }: BillCellProps) {
  const { body, error } = useBill(kind, id, month);
  if (error !== null) {
    return cell === 'status' ? (
      <Tooltip label={error.message}>
        <Text size="sm" c="red" tabIndex={0}>
          Not to be had
        </Text>
      </Tooltip>
    ) : (
      '—'
    );
  }
  if (body === undefined) return <Skeleton height={12} width={cell === 'status' ? 80 : 56} ml="auto" />;
  const sums = sumsOf(body);
  switch (cell) {
    case 'status':
      return <Status of={body.status} />;
    case 'impressions':
      return <span className="figure">{formatCount(sums.impressions)}</span>;
    case 'gross':
      return <Money cents={sums.grossCents} />;
    case 'fee':
      return <Money cents={sums.feeCents} />;
    case 'due':
      return <Money cents={body.due_after_adjustments_cents ?? sums.dueCents} />;
  }
}

/** The bill of a publisher or of a demand source. */
export function useBill(
  kind: Kind,
  id: string,
  month: string,
): { body: Bill | undefined; error: Error | null; isPending: boolean; isFetching: boolean; refetch: () => unknown } {
  const init = { params: { path: { id }, query: { month } } };
  const payout = useAnswer('/api/supply/sources/{id}/billing', init, { enabled: kind === 'publisher' });
  const invoice = useAnswer('/api/demand/sources/{id}/billing', init, { enabled: kind === 'dsp' });
  return kind === 'publisher' ? payout : invoice;
}
