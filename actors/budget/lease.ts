import type { Static } from 'typebox';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from './budget-window.ts';
import type { BudgetLease, BudgetLimits, budgetMessages, EdgeHolding } from './messages.ts';
import {
  availableBudgetAt,
  type BudgetState,
  type BudgetWindow,
  emptyBudgetWindow,
  isUnlimited,
  saturatingAdd,
  withWindows,
} from './state.ts';

type LeaseRequest = Static<(typeof budgetMessages)['lease']>;

/** An edge that has sent no request for this many ms, and that holds nothing, is forgotten. */
const FORGET_EDGE_MS = 3_600_000;

/** Edges that have sent a request within this many ms share the free money. */
const ACTIVE_EDGE_MS = 2 * BUDGET_WINDOW_MS;

/**
 * Grants a lease. The holdings of the request are applied first, so that windows which the edge has closed or never
 * heard of are free again; then the edge gets a share of the free money. A request whose number is not above the last
 * of its edge changes nothing.
 */
export function grantLease(
  state: BudgetState,
  request: LeaseRequest,
  nowMs: number,
): Effects<BudgetState, BudgetLease> {
  const { edge, number, slotMs } = request;
  const last = state.edges.find((known) => known.edge === edge);
  if (last !== undefined && number <= last.number) return { reply: answer(state, request, []) };

  const limits = newestLimits(state.limits, request.limits);
  const edges = withEdgeSeen(state, request, nowMs);
  const { slots, closedSlots } = applyHoldings(state, request, isUnlimited(limits));
  const updated: BudgetState = withWindows({ ...state, limits, edges }, slots);
  if (isUnlimited(limits)) return { state: updated, reply: answer(updated, request, closedSlots) };

  const grantable =
    slotMs === budgetWindowStart(slotMs) &&
    slotMs > updated.settledThroughMs &&
    slotMs >= budgetWindowStart(limits.sinceMs) &&
    Math.abs(slotMs - budgetWindowStart(nowMs)) <= BUDGET_WINDOW_MS &&
    updated.openedSinceMs === limits.sinceMs &&
    !request.holdings.some((holding) => holding.slotMs === slotMs && holding.closed);
  const more = grantable ? grantableNanos(updated, request, nowMs) : 0;
  const next = more === 0 ? updated : withWindows(updated, withGrant(updated.slots, edge, slotMs, more));
  return { state: next, reply: answer(next, request, closedSlots) };
}

function newestLimits(known: BudgetLimits | null, requested: BudgetLimits): BudgetLimits {
  return known !== null && known.revision >= requested.revision ? known : requested;
}

function withEdgeSeen(
  { edges, slots }: BudgetState,
  { edge, number }: LeaseRequest,
  nowMs: number,
): BudgetState['edges'] {
  const holds = new Set(slots.flatMap(({ grants }) => grants.map((grant) => grant.edge)));
  const others = edges.filter(
    (known) => known.edge !== edge && (holds.has(known.edge) || known.heardAtMs > nowMs - FORGET_EDGE_MS),
  );
  return [...others, { edge, number, heardAtMs: nowMs }];
}

/**
 * Applies the holdings of one edge to each budget window in which it has a grant: the grant becomes what the edge
 * reports, nothing when it reports nothing, or what it has sold once it has closed the window. A closed window without
 * a grant was already closed by an earlier request.
 */
function applyHoldings(
  { slots, settledThroughMs }: BudgetState,
  { edge, holdings }: LeaseRequest,
  unlimited: boolean,
): { readonly slots: readonly BudgetWindow[]; readonly closedSlots: readonly number[] } {
  const held = new Map<number, EdgeHolding>(holdings.map((holding) => [holding.slotMs, holding]));
  const next = new Map<number, BudgetWindow>(slots.map((window) => [window.slotMs, window]));
  for (const window of slots) {
    const holding = held.get(window.slotMs);
    const grant = window.grants.find((one) => one.edge === edge);
    if (grant === undefined) continue;
    const grants = window.grants.filter((one) => one !== grant);
    if (holding === undefined) next.set(window.slotMs, { ...window, grants });
    else if (holding.closed) next.set(window.slotMs, withClosed({ ...window, grants }, holding));
    else next.set(window.slotMs, { ...window, grants: [...grants, { edge, nanos: maxSpendOf(holding) }] });
  }
  for (const holding of holdings) {
    const { slotMs } = holding;
    if (holding.closed || slotMs <= settledThroughMs || unlimited) continue;
    const window = next.get(slotMs) ?? emptyBudgetWindow(slotMs);
    // An edge should sell only what was granted; a report of more is believed.
    if (!window.grants.some((one) => one.edge === edge)) {
      next.set(slotMs, { ...window, grants: [...window.grants, { edge, nanos: maxSpendOf(holding) }] });
    }
  }
  const closedSlots = holdings.filter((holding) => holding.closed || holding.slotMs <= settledThroughMs);
  return { slots: [...next.values()], closedSlots: closedSlots.map(({ slotMs }) => slotMs) };
}

function withClosed(window: BudgetWindow, { soldNanos }: EdgeHolding): BudgetWindow {
  return { ...window, closedNanos: saturatingAdd(window.closedNanos, soldNanos) };
}

function maxSpendOf({ grantedNanos, soldNanos }: EdgeHolding): number {
  return Math.max(grantedNanos, soldNanos);
}

/**
 * The nano-dollars to grant: at most what is wanted and what is free. Each active edge and one more must find as large
 * a share, so that no edge takes the last of the budget and a new edge finds some. Each share is smaller than the one
 * before, down to the least useful amount; less than that is not granted.
 */
function grantableNanos(
  state: BudgetState,
  { edge, slotMs, holdings, wantNanos, leastNanos }: LeaseRequest,
  nowMs: number,
): number {
  const free = availableBudgetAt(state, slotMs);
  const freeNanos = Math.min(free.todayNanos ?? Number.MAX_SAFE_INTEGER, free.totalNanos ?? Number.MAX_SAFE_INTEGER);
  const holding = holdings.find((one) => one.slotMs === slotMs);
  const unsoldNanos = grantOf(state, edge, slotMs) - (holding?.soldNanos ?? 0);
  const missingNanos = wantNanos - unsoldNanos;
  if (missingNanos <= 0) return 0;
  const sharing = state.edges.filter(({ heardAtMs }) => heardAtMs > nowMs - ACTIVE_EDGE_MS).length;
  const shareNanos = Math.max(Math.floor(freeNanos / (sharing + 1)), leastNanos - unsoldNanos);
  const moreNanos = Math.min(missingNanos, shareNanos, freeNanos);
  return unsoldNanos + moreNanos < leastNanos ? 0 : moreNanos;
}

function grantOf({ slots }: BudgetState, edge: string, slotMs: number): number {
  const window = slots.find((one) => one.slotMs === slotMs);
  return window?.grants.find((grant) => grant.edge === edge)?.nanos ?? 0;
}

function withGrant(
  windows: readonly BudgetWindow[],
  edge: string,
  slotMs: number,
  moreNanos: number,
): readonly BudgetWindow[] {
  const window = windows.find((one) => one.slotMs === slotMs) ?? emptyBudgetWindow(slotMs);
  const nanos = (window.grants.find((grant) => grant.edge === edge)?.nanos ?? 0) + moreNanos;
  const grants = [...window.grants.filter((grant) => grant.edge !== edge), { edge, nanos }];
  return [...windows.filter((one) => one !== window), { ...window, grants }];
}

function answer(state: BudgetState, request: LeaseRequest, closedSlots: readonly number[]): BudgetLease {
  const { edge, number, slotMs, holdings, wantNanos } = request;
  const limits = state.limits ?? request.limits;
  const holding = holdings.find((one) => one.slotMs === slotMs);
  const free = availableBudgetAt(state, slotMs);
  const grantedNanos = isUnlimited(limits)
    ? Math.max(holding?.grantedNanos ?? 0, (holding?.soldNanos ?? 0) + wantNanos)
    : grantOf(state, edge, slotMs);
  return {
    number,
    slotMs,
    grantedNanos,
    unopened: !isUnlimited(limits) && state.openedSinceMs !== limits.sinceMs,
    freeTodayNanos: free.todayNanos,
    freeTotalNanos: free.totalNanos,
    closedSlots,
  };
}
