import { NANOS_PER_CENT, wholeCentsOf } from '../../exchange/money/cents.ts';
import { WHOLE_PPM } from '../../exchange/money/fee.ts';
import { divideHalfEven } from '../../exchange/money/half-even.ts';
import type { NanosSum } from '../../exchange/money/nanos.ts';
import type { AdjustmentState } from '../adjustment/state.ts';
import type { AdjustmentLine } from './messages.ts';
import type { StatementScope } from './statement-id.ts';

/** The lines of a statement: the adjustments that were booked in its month on trades of its source, by id. */
export function adjustmentLines(trades: readonly AdjustmentState[], month: string): AdjustmentLine[] {
  return trades
    .flatMap(({ publisherId, dspId, period, booked }) =>
      booked
        .filter((one) => one.month === month)
        .map(({ id, campaignId, impressions, grossNanos, feeNanos, reason }) => ({
          ...{ id, publisherId, dspId, campaignId, period, impressions, grossNanos, feeNanos, reason },
        })),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The change of the due sum by one line, whole nano-dollars of which `denominator` make one: below 0. */
export function adjustmentLineNanos(scope: StatementScope, line: AdjustmentLine, feePpm: number): bigint {
  const gross = BigInt(line.grossNanos);
  if (scope === 'publisher') return BigInt(line.feeNanos) - gross;
  return -divideHalfEven(gross * BigInt(WHOLE_PPM + feePpm), BigInt(WHOLE_PPM));
}

/**
 * The due sum after adjustments, whole cents, rounded half-even once from exact sums. Below 0 when more is taken back
 * than the month has brought: then it is due from the publisher, or to the demand source.
 */
export function dueAfterAdjustments(
  scope: StatementScope,
  { grossNanos, feeNanos }: { readonly grossNanos: NanosSum; readonly feeNanos: NanosSum },
  lines: readonly AdjustmentLine[],
  feePpm: number,
): number {
  const gross = lines.reduce((sum, line) => sum - BigInt(line.grossNanos), grossNanos);
  const fee = lines.reduce((sum, line) => sum - BigInt(line.feeNanos), feeNanos);
  if (scope === 'publisher') return wholeCentsOf(gross - fee);
  return Number(divideHalfEven(gross * BigInt(WHOLE_PPM + feePpm), NANOS_PER_CENT * BigInt(WHOLE_PPM)));
}
