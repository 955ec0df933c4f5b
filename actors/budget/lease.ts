import type { Static } from 'typebox';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { utcDay } from '../ledger/ledger-id.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from './budget-window.ts';
import {
  AHEAD_PARTS,
  applyHoldings,
  grantedNanosOf,
  grantOf,
  newestLimits,
  shareOf,
  sharingEdges,
  unsoldNanosOf,
  withEdgeSeen,
  withGrant,
} from './grants.ts';
import { AHEAD_WINDOWS, type BudgetLease, type budgetMessages } from './messages.ts';
import { availableBudgetAt, type BudgetState, emptyBudgetWindow, isUnlimited, withWindows } from './state.ts';

type LeaseRequest = Static<(typeof budgetMessages)['lease']>;

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
  const unlimited = isUnlimited(limits);
  const { settledThroughMs } = state;
  const { slots, closedSlots } = applyHoldings(state.slots, request, {
    settledThroughMs,
    unlimited,
    empty: emptyBudgetWindow,
  });
  const updated: BudgetState = withWindows({ ...state, limits, edges: withEdgeSeen(state, request, nowMs) }, slots);
  if (unlimited) return { state: updated, reply: answer(updated, request, closedSlots) };

  const grantable = Math.abs(slotMs - budgetWindowStart(nowMs)) <= BUDGET_WINDOW_MS;
  const more = grantable && mayLease(updated, request, slotMs) ? grantableNanos(updated, request, nowMs) : 0;
  const granted = withMore(updated, edge, slotMs, more);
  const next = request.ahead === undefined ? granted : withLeasesAhead(granted, request, nowMs);
  return { state: next, reply: answer(next, request, closedSlots) };
}

/** Whether the window is one that the edge may lease in, however far it is from now. */
function mayLease({ limits, openedSinceMs, settledThroughMs }: BudgetState, request: LeaseRequest, slotMs: number) {
  const { sinceMs } = limits!;
  return (
    slotMs === budgetWindowStart(slotMs) &&
    slotMs > settledThroughMs &&
    slotMs >= budgetWindowStart(sinceMs) &&
    openedSinceMs === sinceMs &&
    !request.holdings.some((holding) => holding.slotMs === slotMs && holding.closed)
  );
}

function grantableNanos(state: BudgetState, request: LeaseRequest, nowMs: number): number {
  const { slotMs, wantNanos, leastNanos } = request;
  return shareOf({
    freeNanos: freeNanosAt(state, slotMs),
    unsoldNanos: unsoldNanosOf(state.slots, request),
    ...{ wantNanos, leastNanos },
    sharing: sharingEdges(state.edges, nowMs),
  });
}

/**
 * Leases windows after the one that the request is about, so that a region which is cut off has something to sell: in
 * each at most an equal part of a fifth of what is free or leased ahead to it, of that day.
 */
function withLeasesAhead(state: BudgetState, request: LeaseRequest, nowMs: number): BudgetState {
  const { edge, slotMs, holdings } = request;
  const { wantNanos, leastNanos } = request.ahead!;
  const sold = new Map(holdings.map((holding) => [holding.slotMs, holding.soldNanos]));
  const unsoldNanos = (of: BudgetState, window: number) => grantOf(of.slots, edge, window) - (sold.get(window) ?? 0);
  const windows = Array.from({ length: AHEAD_WINDOWS }, (_, at) => slotMs + (at + 1) * BUDGET_WINDOW_MS).filter(
    (window) => window <= budgetWindowStart(nowMs) + AHEAD_WINDOWS * BUDGET_WINDOW_MS,
  );
  const mostNanos = new Map<string, number>();
  let next = state;
  for (const window of windows) {
    if (!mayLease(next, request, window)) continue;
    const day = utcDay(window);
    if (!mostNanos.has(day)) {
      const ahead = windows.filter((one) => utcDay(one) === day);
      const heldNanos = ahead.reduce((sum, one) => sum + unsoldNanos(next, one), 0);
      mostNanos.set(day, Math.floor((freeNanosAt(next, window) + heldNanos) / AHEAD_PARTS));
    }
    const least = Math.min(wantNanos, mostNanos.get(day)!);
    if (least < leastNanos) continue;
    const more = Math.min(least - unsoldNanos(next, window), freeNanosAt(next, window));
    next = withMore(next, edge, window, Math.max(0, more));
  }
  return next;
}

function withMore(state: BudgetState, edge: string, slotMs: number, moreNanos: number): BudgetState {
  if (moreNanos === 0) return state;
  const window = state.slots.find((one) => one.slotMs === slotMs) ?? emptyBudgetWindow(slotMs);
  return withWindows(state, withGrant(state.slots, edge, window, moreNanos));
}

function freeNanosAt(state: BudgetState, atMs: number): number {
  const free = availableBudgetAt(state, atMs);
  return Math.min(free.todayNanos ?? Number.MAX_SAFE_INTEGER, free.totalNanos ?? Number.MAX_SAFE_INTEGER);
}

function answer(state: BudgetState, request: LeaseRequest, closedSlots: readonly number[]): BudgetLease {
  const { edge, number, slotMs } = request;
  const limits = state.limits ?? request.limits;
  const unlimited = isUnlimited(limits);
  const free = availableBudgetAt(state, slotMs);
  return {
    number,
    slotMs,
    grantedNanos: grantedNanosOf(state.slots, request, unlimited),
    ...(request.ahead !== undefined && { ahead: unlimited ? [] : grantsAfter(state, edge, slotMs) }),
    unopened: !unlimited && state.openedSinceMs !== limits.sinceMs,
    freeTodayNanos: free.todayNanos,
    freeTotalNanos: free.totalNanos,
    closedSlots,
  };
}

function grantsAfter({ slots }: BudgetState, edge: string, afterMs: number): NonNullable<BudgetLease['ahead']> {
  return slots
    .filter(({ slotMs }) => slotMs > afterMs)
    .map(({ slotMs }) => ({ slotMs, grantedNanos: grantOf(slots, edge, slotMs) }))
    .filter(({ grantedNanos }) => grantedNanos > 0);
}
