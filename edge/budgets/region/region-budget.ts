import { budgetWindowStart } from '#actors/budget/budget-window';
import {
  applyHoldings,
  grantedNanosOf,
  type HeardEdge,
  type LeasedWindow,
  newestLimits,
  shareOf,
  sharingEdges,
  unsoldNanosOf,
  withEdgeSeen,
  withGrant,
} from '#actors/budget/grants';
import type { BudgetLease, BudgetLimits } from '#actors/budget/messages';
import { isUnlimited, leasedNanos } from '#actors/budget/state';
import type { LeaseRequest } from '../held-budget.ts';

/** A budget window at a region. */
export interface RegionWindow extends LeasedWindow {
  /** What the region has leased of it at home, nano-dollars: its edges hold a part of that. */
  readonly grantedNanos: number;
  /** True once the region has told home that it sells no more in it. */
  readonly closed: boolean;
}

/**
 * What a region has leased of one budget at home, and what its edges hold of that. To home the region is an edge: it
 * states absolute, numbered figures, and what its edges may sell for counts as sold.
 *
 * The law: what edges hold and have sold of a window is at most what home has leased the region in it.
 */
export interface RegionBudget {
  /** The region's name at home: a record that was lost begins under another one. */
  readonly name: string;
  /** The newest limits that an edge has brought. */
  readonly limits: BudgetLimits;
  /** The revision of the limits that home has answered last; -1 before. */
  readonly toldRevision: number;
  /** The number of the last request to home. */
  readonly number: number;
  /**
   * When the request was made that is under way, ms since the epoch; {@link OUTCOME_UNKNOWN} when the last one has
   * failed and home may have granted what the region does not know of; null when the last one was answered.
   */
  readonly askedAtMs: number | null;
  /** When windows ahead were asked for last. */
  readonly aheadAskedAtMs: number;
  /** The wait after answers that brought too little in a window. */
  readonly short: { readonly slotMs: number; readonly untilMs: number; readonly waitMs: number } | null;
  readonly unopened: boolean;
  /** What home's last answer left free. */
  readonly freeTodayNanos: number | null;
  readonly freeTotalNanos: number | null;
  /** What was sold in the last window that is over. */
  readonly earlierNanos: number;
  readonly slots: readonly RegionWindow[];
  readonly edges: readonly HeardEdge[];
}

/** In `askedAtMs`: the last request to home has failed, and no later one was answered. */
export const OUTCOME_UNKNOWN = 0;

export function newRegionBudget(name: string, limits: BudgetLimits): RegionBudget {
  return {
    ...{ name, limits, toldRevision: -1, number: 0, askedAtMs: null, aheadAskedAtMs: 0, short: null, unopened: false },
    ...{ freeTodayNanos: null, freeTotalNanos: null, earlierNanos: 0, slots: [], edges: [] },
  };
}

/** What the region has leased of a window and no edge holds, nano-dollars. */
export function restOf(window: RegionWindow | undefined): number {
  return window === undefined || window.closed ? 0 : Math.max(0, window.grantedNanos - leasedNanos(window));
}

export function windowAt({ slots }: RegionBudget, slotMs: number): RegionWindow | undefined {
  return slots.find((window) => window.slotMs === slotMs);
}

/**
 * Applies what an edge's request states. Null when the request is not above the last one of its edge: it changes
 * nothing.
 */
export function withRequest(
  state: RegionBudget,
  request: LeaseRequest,
  nowMs: number,
): { readonly state: RegionBudget; readonly closedSlots: readonly number[] } | null {
  const last = state.edges.find(({ edge }) => edge === request.edge);
  if (last !== undefined && request.number <= last.number) return null;
  const limits = newestLimits(state.limits, request.limits);
  const { slots, closedSlots } = applyHoldings<RegionWindow>(state.slots, request, {
    settledThroughMs: -1,
    unlimited: isUnlimited(limits),
    empty: (slotMs) => ({ slotMs, closedNanos: 0, grants: [], grantedNanos: 0, closed: false }),
  });
  return { state: { ...state, limits, slots, edges: withEdgeSeen(state, request, nowMs) }, closedSlots };
}

/** Grants the edge a share of what the region holds of the window, unless it has sent a later request since. */
export function withLeaseTo(state: RegionBudget, request: LeaseRequest, nowMs: number): RegionBudget {
  const { edge, number, slotMs } = request;
  const isNewest = state.edges.some((known) => known.edge === edge && known.number === number);
  const window = windowAt(state, slotMs);
  if (!isNewest || window === undefined || closes(request, slotMs)) return state;
  const moreNanos = shareIn(state, request, nowMs);
  return moreNanos === 0 ? state : { ...state, slots: withGrant(state.slots, edge, window, moreNanos) };
}

/** The edge's share of what the region holds of the window that the request is about. */
export function shareIn(state: RegionBudget, request: LeaseRequest, nowMs: number): number {
  return shareOf({
    freeNanos: restOf(windowAt(state, request.slotMs)),
    unsoldNanos: unsoldNanosOf(state.slots, request),
    wantNanos: request.wantNanos,
    leastNanos: request.leastNanos,
    sharing: sharingEdges(state.edges, nowMs),
  });
}

export function closes({ holdings }: LeaseRequest, slotMs: number): boolean {
  return holdings.some((holding) => holding.slotMs === slotMs && holding.closed);
}

/** The answer to an edge: as a budget's own, with what the region holds beside what home has left free. */
export function answerTo(state: RegionBudget, request: LeaseRequest, closedSlots: readonly number[]): BudgetLease {
  const { number, slotMs } = request;
  const firstMs = budgetWindowStart(slotMs);
  const restNanos = state.slots.reduce((sum, window) => (window.slotMs >= firstMs ? sum + restOf(window) : sum), 0);
  const beside = (nanos: number | null) =>
    nanos === null ? null : Math.min(Number.MAX_SAFE_INTEGER, nanos + restNanos);
  return {
    number,
    slotMs,
    grantedNanos: grantedNanosOf(state.slots, request, isUnlimited(state.limits)),
    unopened: state.unopened,
    freeTodayNanos: beside(state.freeTodayNanos),
    freeTotalNanos: beside(state.freeTotalNanos),
    closedSlots,
  };
}
