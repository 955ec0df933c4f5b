import { type BudgetState, leasedNanos } from './state.ts';

/**
 * For this many ms after a limit begins an edge may still sell without a lease: it has not seen the limit, or its clock
 * is off.
 */
const LIMITS_PROPAGATION_MS = 600_000;

/** Spend of a budget window beyond its leases and beyond what was sold before leases began. */
export interface LeaseOverrun {
  readonly slotMs: number;
  readonly leasedNanos: number;
  readonly spentNanos: number;
}

/**
 * The budget windows of which the ledgers hold more than edges could sell: someone else has minted tracking URLs with a
 * leaked tracking key. `spentNanos` holds the final sums of the ledgers by window. A budget without limits has no
 * overrun, since its edges sell without leases.
 */
export function findLeaseOverruns(state: BudgetState, spentNanos: ReadonlyMap<number, number>): LeaseOverrun[] {
  const { limits, openedSinceMs, slots } = state;
  if (limits === null || openedSinceMs !== limits.sinceMs || limits.dailyNanos + limits.totalNanos === 0) return [];
  const found: LeaseOverrun[] = [];
  for (const [slotMs, spent] of spentNanos) {
    if (slotMs < limits.sinceMs + LIMITS_PROPAGATION_MS || slotMs <= state.settledThroughMs) continue;
    const window = slots.find((known) => known.slotMs === slotMs);
    const leased = window === undefined ? 0 : leasedNanos(window) + window.seededNanos;
    if (spent > leased) found.push({ slotMs, leasedNanos: leased, spentNanos: spent });
  }
  return found;
}
