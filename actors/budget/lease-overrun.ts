import { type BudgetState, leasedNanos } from './state.ts';

/** So long after its limits began some edge may sell without a lease: it has not heard of them, or its clock is off. */
const LIMITS_PROPAGATION_MS = 600_000;

/** What was billed of a slot and had never been leased, nor sold before there was anything to lease from. */
export interface LeaseOverrun {
  readonly slotMs: number;
  readonly leasedNanos: number;
  readonly spentNanos: number;
}

/**
 * Slots of which the ledgers hold more than edges could sell: somebody else has minted tracking URLs, with a tracking key that leaked.
 * `spentNanos` by slot, the ledgers' last word. Nothing is found of a budget without limits: its edges sell without leases.
 */
export function findLeaseOverruns(state: BudgetState, spentNanos: ReadonlyMap<number, number>): LeaseOverrun[] {
  const { limits, openedSinceMs, slots } = state;
  if (limits === null || openedSinceMs !== limits.sinceMs || limits.dailyNanos + limits.totalNanos === 0) return [];
  const found: LeaseOverrun[] = [];
  for (const [slotMs, spent] of spentNanos) {
    if (slotMs < limits.sinceMs + LIMITS_PROPAGATION_MS || slotMs <= state.settledThroughMs) continue;
    const slot = slots.find((known) => known.slotMs === slotMs);
    const leased = slot === undefined ? 0 : leasedNanos(slot) + slot.seededNanos;
    if (spent > leased) found.push({ slotMs, leasedNanos: leased, spentNanos: spent });
  }
  return found;
}
