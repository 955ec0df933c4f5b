import Type, { type Static } from 'typebox';
import { utcDay } from '../ledger/ledger-id.ts';
import { budgetWindowStart } from './budget-window.ts';
import { BudgetLimits } from './messages.ts';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars; a sum that no double holds exactly stands at the largest that one does: more than any limit. */
const Nanos = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A slot of which impressions may still come. */
export const BudgetWindow = Type.Object({
  slotMs: Count,
  /** What it might come to when the limits were opened, as the ledgers had it: sold under no lease, or under an earlier one. */
  seededNanos: Nanos,
  /** Sold by edges that have closed it. */
  closedNanos: Nanos,
  /** What each edge that has not may sell for. */
  grants: Type.Array(Type.Object({ edge: Type.String(), nanos: Nanos })),
});
export type BudgetWindow = Static<typeof BudgetWindow>;

export const BudgetState = Type.Object({
  /** The newest heard of. */
  limits: Type.Union([BudgetLimits, Type.Null()]),
  /** `sinceMs` of the limits that were opened last. */
  openedSinceMs: Type.Union([Count, Type.Null()]),
  /** What was spent in settled slots, of all time. */
  settledNanos: Nanos,
  /** The same of a UTC day, oldest first: yesterday's and later ones, which are all that may still be charged. */
  settledDays: Type.Array(Type.Object({ day: Type.String(), nanos: Nanos })),
  /** Slots up to this one are settled: nothing is leased in them, and nothing about them is heard. 0: none is. */
  settledThroughMs: Count,
  /** Not settled, and not empty; earliest first. */
  slots: Type.Array(BudgetWindow),
  /** The first of `slots`, for whoever looks for budgets that can be settled. */
  oldestSlotMs: Type.Union([Count, Type.Null()]),
  /** The number of the last request of each edge, and when that came. */
  edges: Type.Array(Type.Object({ edge: Type.String(), number: Count, heardAtMs: Count })),
});
export type BudgetState = Static<typeof BudgetState>;

export function emptyBudget(): BudgetState {
  return {
    limits: null,
    openedSinceMs: null,
    settledNanos: 0,
    settledDays: [],
    settledThroughMs: 0,
    slots: [],
    oldestSlotMs: null,
    edges: [],
  };
}

export function emptyBudgetWindow(slotMs: number): BudgetWindow {
  return { slotMs, seededNanos: 0, closedNanos: 0, grants: [] };
}

/** `a + b`, or the largest exact number. */
export function saturatingAdd(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

/**
 * `state` with these slots, in order and without those that came to nothing; but with those from before its limits were opened, in
 * which more may have been sold than anybody has said.
 */
export function withWindows(state: BudgetState, slots: readonly BudgetWindow[]): BudgetState {
  const unleasedThroughMs = state.openedSinceMs ?? 0;
  const isEmpty = ({ seededNanos, closedNanos, grants }: BudgetWindow) =>
    seededNanos === 0 && closedNanos === 0 && grants.length === 0;
  const kept = slots
    .map((slot) => ({ ...slot, grants: slot.grants.filter(({ nanos }) => nanos > 0) }))
    .filter((slot) => slot.slotMs <= unleasedThroughMs || !isEmpty(slot))
    .sort((a, b) => a.slotMs - b.slotMs);
  return { ...state, slots: kept, oldestSlotMs: kept[0]?.slotMs ?? null };
}

export function isUnlimited({ dailyNanos, totalNanos }: Pick<BudgetLimits, 'dailyNanos' | 'totalNanos'>): boolean {
  return dailyNanos === 0 && totalNanos === 0;
}

/** What edges have sold or may sell of it. */
export function leasedNanos({ closedNanos, grants }: BudgetWindow): number {
  return grants.reduce((sum, { nanos }) => saturatingAdd(sum, nanos), closedNanos);
}

/**
 * What of a budget a slot may come to at most. In a slot from before the limits began, what the ledgers held when these
 * were opened and what is known of leases is the same spend; in the slot in which they began, leases came after.
 */
function committedNanos(slot: BudgetWindow, sinceMs: number): number {
  const leased = leasedNanos(slot);
  return slot.slotMs < budgetWindowStart(sinceMs)
    ? Math.max(leased, slot.seededNanos)
    : saturatingAdd(leased, slot.seededNanos);
}

/** What a budget has come to, nano-dollars. `spent` is settled; `open` may be spent, or has been and is not settled. */
export interface CommittedSpend {
  readonly spentTodayNanos: number;
  readonly openTodayNanos: number;
  readonly spentTotalNanos: number;
  readonly openTotalNanos: number;
}

/** Of all time, and of the UTC day of `atMs`. */
export function committedSpendAt(state: BudgetState, atMs: number): CommittedSpend {
  const day = utcDay(atMs);
  const sinceMs = state.openedSinceMs ?? 0;
  let openTodayNanos = 0;
  let openTotalNanos = 0;
  for (const slot of state.slots) {
    const nanos = committedNanos(slot, sinceMs);
    openTotalNanos = saturatingAdd(openTotalNanos, nanos);
    if (utcDay(slot.slotMs) === day) openTodayNanos = saturatingAdd(openTodayNanos, nanos);
  }
  const spentTodayNanos = state.settledDays.find((settled) => settled.day === day)?.nanos ?? 0;
  return { spentTodayNanos, openTodayNanos, spentTotalNanos: state.settledNanos, openTotalNanos };
}

/** What is neither spent nor leased; null without a limit. */
export interface AvailableBudget {
  readonly todayNanos: number | null;
  readonly totalNanos: number | null;
}

export function availableBudgetAt(state: BudgetState, atMs: number): AvailableBudget {
  const { dailyNanos, totalNanos } = state.limits ?? { dailyNanos: 0, totalNanos: 0 };
  const committed = committedSpendAt(state, atMs);
  const left = (limit: number, spent: number, open: number) =>
    limit === 0 ? null : Math.max(0, limit - saturatingAdd(spent, open));
  return {
    todayNanos: left(dailyNanos, committed.spentTodayNanos, committed.openTodayNanos),
    totalNanos: left(totalNanos, committed.spentTotalNanos, committed.openTotalNanos),
  };
}
