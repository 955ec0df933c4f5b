import { dayOfLedger, utcDay } from '../ledger/ledger-id.ts';
import type { LedgerPages } from '../ledger/report/sum-ledgers.ts';
import type { LedgerState } from '../ledger/state.ts';
import { type BudgetState, committedSpendAt } from './state.ts';

/** The fields of a ledger's state that hold spend. Minutes, which are most of a ledger, are left out. */
export const SPEND_LEDGER_FIELDS: (keyof LedgerState)[] = ['hours', 'slots', 'unleased'];

/**
 * The state of a budget, whole nano-dollars. Spent money belongs to impressions sold in the period that the ledgers
 * hold.
 */
export interface BudgetStatus {
  readonly spentTodayNanos: bigint;
  /** Money that edges have leased, or have sold for without a confirmation: it may still be spent. */
  readonly reservedTodayNanos: bigint;
  readonly spentTotalNanos: bigint;
  readonly reservedTotalNanos: bigint;
}

/**
 * The status on the UTC day of `atMs`, and of all time. `ledgers` are those of the holder: of each day on which
 * impressions of an unsettled budget window were billed, or that were sold on that day; all ledgers where the budget
 * was never opened (`state` is null or holds nothing of earlier spend).
 */
export function budgetStatusAt(state: BudgetState | null, ledgers: readonly LedgerPages[], atMs: number): BudgetStatus {
  const day = utcDay(atMs);
  let spentTodayNanos = 0n;
  let unsettledNanos = 0n;
  for (const { id, state: pages } of ledgers) {
    let outsideWindowsNanos = grossOfLedger(pages);
    for (const [slot, { grossNanos }] of Object.entries(pages.slots ?? {})) {
      const nanos = BigInt(grossNanos);
      outsideWindowsNanos -= nanos;
      if (utcDay(Number(slot)) === day) spentTodayNanos += nanos;
      if (Number(slot) > (state?.settledThroughMs ?? -1)) unsettledNanos += nanos;
    }
    if (dayOfLedger(id) === day) spentTodayNanos += outsideWindowsNanos;
  }
  if (state === null || state.openedSinceMs === null) {
    const spentTotalNanos = ledgers.reduce((sum, { state: pages }) => sum + grossOfLedger(pages), 0n);
    return { spentTodayNanos, reservedTodayNanos: 0n, spentTotalNanos, reservedTotalNanos: 0n };
  }
  const committed = committedSpendAt(state, atMs);
  const spentTotalNanos = BigInt(committed.spentTotalNanos) + unsettledNanos;
  const less = (nanos: number, spent: bigint) => (BigInt(nanos) > spent ? BigInt(nanos) - spent : 0n);
  return {
    spentTodayNanos,
    reservedTodayNanos: less(committed.spentTodayNanos + committed.openTodayNanos, spentTodayNanos),
    spentTotalNanos,
    reservedTotalNanos: less(committed.spentTotalNanos + committed.openTotalNanos, spentTotalNanos),
  };
}

/** The gross that a ledger's hours have billed, nano-dollars. */
export function grossOfLedger({ hours = {} }: Partial<Pick<LedgerState, 'hours'>>): bigint {
  let sum = 0n;
  for (const page of Object.values(hours)) for (const region of Object.values(page)) sum += BigInt(region.grossNanos);
  return sum;
}
