import { dayOfLedger, utcDay } from '../ledger/ledger-id.ts';
import type { StoredLedger } from '../ledger/report/sum-ledgers.ts';
import type { LedgerState } from '../ledger/state.ts';
import { type BudgetState, committedSpendAt } from './state.ts';

/** The fields of a ledger's state that say what was spent: minutes, which are most of it, do not. */
export const SPEND_LEDGER_FIELDS: (keyof LedgerState)[] = ['hours', 'slots', 'unleased'];

/** How a budget stands, whole nano-dollars. Spent: impressions that were sold in the time and are in the ledgers. */
export interface BudgetStatus {
  readonly spentTodayNanos: bigint;
  /** Leased by edges, or sold and not confirmed: it may come to be spent. */
  readonly reservedTodayNanos: bigint;
  readonly spentTotalNanos: bigint;
  readonly reservedTotalNanos: bigint;
}

/**
 * On the UTC day of `atMs`, and of all time. `ledgers` are the holder's, of every day on which anything was billed whose slot is not
 * settled, or that was sold on that day; all of them for a budget that was never opened, which is null or knows nothing of before.
 */
export function budgetStatusAt(
  state: BudgetState | null,
  ledgers: readonly StoredLedger[],
  atMs: number,
): BudgetStatus {
  const day = utcDay(atMs);
  let spentTodayNanos = 0n;
  let unsettledNanos = 0n;
  for (const { id, state: books } of ledgers) {
    let unslottedNanos = grossOfLedger(books);
    for (const [slot, { grossNanos }] of Object.entries(books.slots ?? {})) {
      const nanos = BigInt(grossNanos);
      unslottedNanos -= nanos;
      if (utcDay(Number(slot)) === day) spentTodayNanos += nanos;
      if (Number(slot) > (state?.settledThroughMs ?? -1)) unsettledNanos += nanos;
    }
    if (dayOfLedger(id) === day) spentTodayNanos += unslottedNanos;
  }
  if (state === null || state.openedSinceMs === null) {
    const spentTotalNanos = ledgers.reduce((sum, { state: books }) => sum + grossOfLedger(books), 0n);
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

/** All that a ledger's day has billed. */
export function grossOfLedger({ hours }: Pick<LedgerState, 'hours'>): bigint {
  let sum = 0n;
  for (const page of Object.values(hours)) for (const region of Object.values(page)) sum += BigInt(region.grossNanos);
  return sum;
}
