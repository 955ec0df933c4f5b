import Type, { type Static } from 'typebox';
import { DAY_MS, utcDay } from '../ledger/ledger-id.ts';
import { budgetWindowStart } from './budget-window.ts';
import { ceilingNanos, StatedCeilings, windowsWithCeilings } from './ceiling-sums.ts';
import { BudgetLimits } from './messages.ts';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars; a sum beyond the largest exact number stands at that number, which is more than any limit. */
const Nanos = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A budget window of which impressions may still come. */
export const BudgetWindow = Type.Object({
  slotMs: Count,
  /**
   * The most that the window might come to when the limits were opened, by the ledgers: sold under no lease or under an
   * earlier one.
   */
  seededNanos: Nanos,
  /**
   * The parts of `seededNanos`, to which ceilings are added: what was billed at the opening, what was sold without a
   * lease by the ledgers, and what was leased beside that. Absent where `seededNanos` is only what was sold.
   */
  seed: Type.Optional(Type.Object({ spentNanos: Nanos, soldNanos: Nanos, besideNanos: Nanos })),
  /** The nano-dollars that edges which have closed the window have sold for. */
  closedNanos: Nanos,
  /** The nano-dollars that each edge which has not closed the window may sell for. */
  grants: Type.Array(Type.Object({ edge: Type.String(), nanos: Nanos })),
});
export type BudgetWindow = Static<typeof BudgetWindow>;

export const BudgetState = Type.Object({
  /** The newest limits that a message has brought. */
  limits: Type.Union([BudgetLimits, Type.Null()]),
  /** `sinceMs` of the limits that were opened last. */
  openedSinceMs: Type.Union([Count, Type.Null()]),
  /** The spend of all settled windows, of all time. */
  settledNanos: Nanos,
  /**
   * The spend of settled windows by UTC day, oldest first: of yesterday and later days, the only ones that may still be
   * charged.
   */
  settledDays: Type.Array(Type.Object({ day: Type.String(), nanos: Nanos })),
  /**
   * Windows up to this one are settled: nothing is leased in them, and messages about them change nothing. 0: none is
   * settled.
   */
  settledThroughMs: Count,
  /** The windows that are neither settled nor empty, earliest first. */
  slots: Type.Array(BudgetWindow),
  /** The first of `slots`, indexed for the search for budgets that can be settled. */
  oldestSlotMs: Type.Union([Count, Type.Null()]),
  /** The number of the last request of each edge, and when it came. */
  edges: Type.Array(Type.Object({ edge: Type.String(), number: Count, heardAtMs: Count })),
  /**
   * What edges have stated about their sales without a lease: see ceilings.ts. Absent where there is nothing.
   */
  ceilings: Type.Optional(StatedCeilings),
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
 * `state` with these windows in order and those that have ceilings, without the empty ones. Empty windows from before
 * the limits were opened stay: more may have been sold in them than any edge has reported.
 */
export function withWindows(state: BudgetState, windows: readonly BudgetWindow[]): BudgetState {
  const unleasedThroughMs = state.openedSinceMs ?? 0;
  const isGrant = ({ nanos }: BudgetWindow['grants'][number]) => nanos > 0;
  const isEmpty = ({ seededNanos, closedNanos, grants }: BudgetWindow) =>
    seededNanos === 0 && closedNanos === 0 && grants.length === 0;
  const named = new Set(windows.map(({ slotMs }) => slotMs));
  const stated = new Set(windowsWithCeilings(state));
  const others = [...stated].filter((slotMs) => !named.has(slotMs)).map(emptyBudgetWindow);
  const nonEmpty = [...windows, ...others]
    .map((window) => (window.grants.every(isGrant) ? window : { ...window, grants: window.grants.filter(isGrant) }))
    .filter((window) => window.slotMs <= unleasedThroughMs || stated.has(window.slotMs) || !isEmpty(window))
    .sort((a, b) => a.slotMs - b.slotMs);
  return { ...state, slots: nonEmpty, oldestSlotMs: nonEmpty[0]?.slotMs ?? null };
}

export function isUnlimited({ dailyNanos, totalNanos }: Pick<BudgetLimits, 'dailyNanos' | 'totalNanos'>): boolean {
  return dailyNanos === 0 && totalNanos === 0;
}

/** The nano-dollars that edges have sold or may sell for in the window. */
export function leasedNanos({ closedNanos, grants }: Pick<BudgetWindow, 'closedNanos' | 'grants'>): number {
  return grants.reduce((sum, { nanos }) => saturatingAdd(sum, nanos), closedNanos);
}

/** The most that a window may have come to by sales from before the leases of the present limits. */
function seededWith(ceiling: number, { seed, seededNanos }: BudgetWindow): number {
  if (ceiling === 0) return seededNanos;
  const { spentNanos, soldNanos, besideNanos } = seed ?? { spentNanos: 0, soldNanos: seededNanos, besideNanos: 0 };
  return Math.max(spentNanos, saturatingAdd(besideNanos, saturatingAdd(soldNanos, ceiling)));
}

/**
 * The most that a window may come to, with the ceilings of sales without a lease in it. In a window from before the
 * limits began, the ledgers' sum at the opening and the known leases are the same spend; in the window in which the
 * limits began, leases came after that sum.
 */
function committedNanos(window: BudgetWindow, sinceMs: number, ceiling: number): number {
  const leased = leasedNanos(window);
  const seeded = seededWith(ceiling, window);
  return window.slotMs < budgetWindowStart(sinceMs) ? Math.max(leased, seeded) : saturatingAdd(leased, seeded);
}

/**
 * The committed money of a budget, nano-dollars. `spent` is settled; `open` may be spent, or is spent and not settled.
 */
export interface CommittedSpend {
  readonly spentTodayNanos: number;
  readonly openTodayNanos: number;
  readonly spentTotalNanos: number;
  readonly openTotalNanos: number;
}

/** The committed money of all time, and of the UTC day of `atMs`. */
export function committedSpendAt(state: BudgetState, atMs: number): CommittedSpend {
  const day = utcDay(atMs);
  const dayMs = Date.parse(day);
  const sinceMs = state.openedSinceMs ?? 0;
  let openTodayNanos = 0;
  let openTotalNanos = 0;
  for (const window of state.slots) {
    const nanos = committedNanos(window, sinceMs, ceilingNanos(state, window.slotMs));
    openTotalNanos = saturatingAdd(openTotalNanos, nanos);
    if (window.slotMs >= dayMs && window.slotMs < dayMs + DAY_MS) openTodayNanos = saturatingAdd(openTodayNanos, nanos);
  }
  const spentTodayNanos = state.settledDays.find((settled) => settled.day === day)?.nanos ?? 0;
  return { spentTodayNanos, openTodayNanos, spentTotalNanos: state.settledNanos, openTotalNanos };
}

/** The money that is neither spent nor leased; null without a limit. */
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
