import { isInvalidCount } from '../ledger/invalid-counts.ts';
import type { LedgerSum } from '../ledger/report/ledger-sum.ts';
import { reportWindowOfMonth } from '../ledger/report/month.ts';
import { invoice, payout } from '../ledger/report/statement.ts';
import { type LedgerPages, type StoredLedger, sumLedgers } from '../ledger/report/sum-ledgers.ts';
import { dueAfterAdjustments } from './adjustment-lines.ts';
import type { AdjustmentLine, StatementFigures } from './messages.ts';
import type { StatementScope } from './statement-id.ts';

/** The sum of impressions that were sold before a month began and are billed in it. */
export interface LateSum {
  readonly impressions: number;
  readonly grossNanos: bigint;
}

/**
 * The part of these ledgers that was sold before `fromMs`; budget windows that begin there or later belong to the month
 * itself.
 */
export function sumLate(ledgers: readonly LedgerPages[], fromMs: number): LateSum {
  let impressions = 0;
  let grossNanos = 0n;
  for (const { state } of ledgers) {
    for (const [slotMs, slot] of Object.entries(state.slots ?? {})) {
      if (Number(slotMs) >= fromMs) continue;
      impressions += slot.impressions;
      grossNanos += BigInt(slot.grossNanos);
    }
  }
  return { impressions, grossNanos };
}

/**
 * The figures of a statement of `month`, without the hash: a pure function of the source's live ledgers of that month,
 * its fee, and the adjustments booked in the month. A publisher's impressions were each charged the fee of their
 * moment; a demand source's fee is put on the whole.
 */
export function statementFigures(
  scope: StatementScope,
  month: string,
  ledgers: readonly StoredLedger[],
  feePpm: number,
  adjustments: readonly AdjustmentLine[] = [],
): Omit<StatementFigures, 'pagesSha256'> {
  const window = reportWindowOfMonth(month);
  if (window === null) throw new Error(`not a month: ${month}`);
  const sum = sumLedgers(ledgers, window);
  const late = sumLate(ledgers, window.fromMs);
  return {
    month,
    impressions: sum.impressions,
    grossNanos: String(sum.grossNanos),
    lateImpressions: late.impressions,
    lateGrossNanos: String(late.grossNanos),
    feePpm,
    ...(scope === 'publisher' ? paid() : owed()),
    ...invalidIn(sum),
    ...(adjustments.length === 0
      ? {}
      : { adjustments: [...adjustments], dueAfterCents: dueAfterAdjustments(scope, sum, adjustments, feePpm) }),
    ledgers: ledgers.length,
  };

  function paid() {
    const { gross_revenue_cents: grossCents, fee_cents: feeCents, net_payout_cents: dueCents } = payout(sum, feePpm);
    return { grossCents, feeCents, dueCents };
  }

  function owed() {
    const { spend_cents: grossCents, fee_cents: feeCents, total_due_cents: dueCents } = invoice(sum, feePpm);
    return { grossCents, feeCents, dueCents };
  }
}

/** The counts of invalid traffic by name; nothing where there was none. */
function invalidIn({ counts }: LedgerSum): Pick<StatementFigures, 'invalid'> {
  const found = [...counts].filter(([name, count]) => isInvalidCount(name) && count > 0);
  return found.length === 0 ? {} : { invalid: Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
