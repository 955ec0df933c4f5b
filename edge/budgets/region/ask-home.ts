import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { AHEAD_PARTS, unsoldNanosOf } from '#actors/budget/grants';
import { AHEAD_WINDOWS, type BudgetLease } from '#actors/budget/messages';
import { leasedNanos } from '#actors/budget/state';
import type { LeaseRequest } from '../held-budget.ts';
import { isWaiting, lowerLimitNanos, nextWaitMs } from '../lease-terms.ts';
import {
  closes,
  OUTCOME_UNKNOWN,
  type RegionBudget,
  type RegionWindow,
  restOf,
  shareIn,
  windowAt,
} from './region-budget.ts';

/** A region's lease is this many ms of its sales at the present rate. */
const LOT_MS = 30_000;
/** A region's lease is at most this share of the budget, unless an edge wants more. */
const MOST_SHARE = 1 / 20;
/** What no edge holds of a window goes back home so many ms after its end, and all of it where no edge holds any. */
const OVER_AFTER_MS = 15_000;
/**
 * ms after a window's end in which its edges close it: what they hold later counts as sold. An edge with many budgets
 * closes a window with its next request for the budget, or when it is idle.
 */
const CLOSE_AFTER_MS = OVER_AFTER_MS + 2 * BUDGET_WINDOW_MS;
/** A region in which nobody has asked for this many ms gives back what its edges do not hold. */
const IDLE_MS = 60_000;
/** A request whose answer is not there after this many ms is taken for lost. */
const LOST_AFTER_MS = 4_000;
/** Windows ahead are asked for when fewer than these are leased, and when this many ms have passed since. */
const LEAST_AHEAD = AHEAD_WINDOWS / 2;
const AHEAD_EVERY_MS = BUDGET_WINDOW_MS;
/** A window ahead is leased for so much more than a window sells. */
const AHEAD_MARGIN = 1.2;
/**
 * What edges have drawn in a window is taken for its sales of this many ms at least: at its begin all of them draw more
 * than they sell at once.
 */
const DRAWN_AT_ONCE_MS = 60_000;
/** Less than this part of what an edge would like to hold is of no use to it. */
const LEAST_PART = 1 / 8;

/** Whether home must be asked: before the edge is answered, or beside it. */
export type Need = 'first' | 'beside' | null;

/** @param returnWithinMs how long home waits for what was not sold in windows that are over */
export function needOf(state: RegionBudget, request: LeaseRequest, nowMs: number, returnWithinMs: number): Need {
  if (isAsking(state, nowMs)) return null;
  if (state.limits.revision !== state.toldRevision) return 'first';
  const isShort = state.short?.slotMs === request.slotMs && isShortNow(state.short, nowMs);
  if (request.wantNanos > 0 && !isShort) {
    const restNanos = restOf(windowAt(state, request.slotMs));
    const unsoldNanos = unsoldNanosOf(state.slots, request);
    if (state.unopened || unsoldNanos + restNanos < request.leastNanos) return 'first';
    const leftNanos = restNanos - shareIn(state, request, nowMs);
    const soonNanos = Math.min(ratePerMs(state, nowMs) * LOT_MS, lotNanos(state, request, nowMs)) / 2;
    if (leftNanos < Math.max(soonNanos, request.wantNanos * LEAST_PART)) return 'beside';
  }
  if (hasOver(state, nowMs, OVER_AFTER_MS + returnWithinMs)) return 'beside';
  return request.wantNanos > 0 && isAheadDue(state, nowMs) ? 'beside' : null;
}

/**
 * Whether home must be told although no edge asks: windows are over, or nobody has asked for `idleMs` and the region
 * holds something, or may do so at home without knowing.
 * @param returnWithinMs as in {@link needOf}
 */
export function mustReturn(state: RegionBudget, nowMs: number, returnWithinMs: number, idleMs = IDLE_MS): boolean {
  if (isAsking(state, nowMs)) return false;
  if (state.slots.length === 0) return state.askedAtMs !== null && isIdle(state, nowMs, idleMs);
  return hasOver(state, nowMs, 2 * OVER_AFTER_MS + returnWithinMs) || isIdle(state, nowMs, idleMs);
}

/**
 * The region's next request to home. `request`: that of the edge that needs it; null where something is given back
 * only.
 */
export function askHome(
  state: RegionBudget,
  request: LeaseRequest | null,
  nowMs: number,
  idleMs = IDLE_MS,
): { readonly state: RegionBudget; readonly ask: LeaseRequest } {
  const currentMs = budgetWindowStart(nowMs);
  const slotMs = request?.slotMs ?? currentMs;
  const wants = request !== null && request.wantNanos > 0 && !closes(request, slotMs);
  const windowNanos = soldInWindow(state, nowMs);
  const leastAheadNanos = Math.ceil((request?.wantNanos ?? 0) * LEAST_PART);
  const most = mostKept(state, {
    ...{ askedSlotMs: wants ? slotMs : null, windowNanos, leastAheadNanos, nowMs },
    isIdleNow: isIdle(state, nowMs, idleMs),
  });
  let { earlierNanos } = state;
  const slots: RegionWindow[] = [];
  for (const window of state.slots) {
    const leased = leasedNanos(window);
    const overMs = overForMs(window, nowMs);
    if (overMs >= OVER_AFTER_MS && overMs < OVER_AFTER_MS + BUDGET_WINDOW_MS) earlierNanos = leased;
    const grantedNanos = Math.max(leased, Math.min(window.grantedNanos, leased + most(window)));
    if (grantedNanos > 0) slots.push({ ...window, grantedNanos, closed: window.closed || canClose(window, nowMs) });
  }
  const aheadNanos = Math.ceil(AHEAD_MARGIN * windowNanos);
  const asksAhead = wants && aheadNanos > 0;
  const number = Math.max(state.number + 1, nowMs);
  const ask: LeaseRequest = {
    ...{ edge: state.name, number, limits: state.limits, slotMs },
    holdings: slots.map((window) => {
      const { grantedNanos, closed } = window;
      return { slotMs: window.slotMs, grantedNanos, soldNanos: leasedNanos(window), closed };
    }),
    wantNanos: wants ? lotNanos(state, request, nowMs) : 0,
    leastNanos: wants ? Math.max(1, request.leastNanos - unsoldNanosOf(state.slots, request)) : 1,
    ...(asksAhead && { ahead: { wantNanos: aheadNanos, leastNanos: leastAheadNanos } }),
  };
  const aheadAskedAtMs = asksAhead ? nowMs : state.aheadAskedAtMs;
  return { state: { ...state, slots, number, earlierNanos, aheadAskedAtMs, askedAtMs: nowMs }, ask };
}

/**
 * Applies home's answer to the region's last request; answers to earlier ones change nothing. Null: it has failed, its
 * outcome is unknown, and the next one states everything again.
 */
export function withAnswer(
  state: RegionBudget,
  ask: LeaseRequest,
  answer: BudgetLease | null,
  nowMs: number,
): RegionBudget {
  if (ask.number !== state.number) return state;
  if (answer === null) return { ...state, askedAtMs: OUTCOME_UNKNOWN };
  const closed = new Set(answer.closedSlots);
  const kept = state.slots.filter((window) => !window.closed || !closed.has(window.slotMs));
  const { freeTodayNanos, freeTotalNanos, unopened } = answer;
  const answered: RegionBudget = {
    ...{ ...state, slots: kept, askedAtMs: null, toldRevision: ask.limits.revision },
    ...{ unopened, freeTodayNanos, freeTotalNanos },
  };
  if (unopened || ask.wantNanos === 0) return answered;
  const granted = new Map([...(answer.ahead ?? []), answer].map((one) => [one.slotMs, one.grantedNanos]));
  const slots = kept.map((window) => {
    const grantedNanos = granted.get(window.slotMs);
    granted.delete(window.slotMs);
    return grantedNanos === undefined || window.closed ? window : { ...window, grantedNanos };
  });
  for (const [slotMs, grantedNanos] of granted) {
    const isClosed = ask.holdings.some((holding) => holding.slotMs === slotMs && holding.closed);
    if (grantedNanos > 0 && !isClosed) slots.push({ slotMs, closedNanos: 0, grants: [], grantedNanos, closed: false });
  }
  const next = { ...answered, slots };
  return { ...next, short: shortAfter(next, ask, nowMs) };
}

function isAsking({ askedAtMs }: RegionBudget, nowMs: number): boolean {
  return askedAtMs !== null && isWaiting(nowMs, askedAtMs, LOST_AFTER_MS);
}

function isShortNow({ untilMs, waitMs }: NonNullable<RegionBudget['short']>, nowMs: number): boolean {
  return isWaiting(nowMs, untilMs - waitMs, waitMs);
}

function isIdle({ edges, slots }: RegionBudget, nowMs: number, idleMs: number): boolean {
  const currentMs = budgetWindowStart(nowMs);
  const isHeld = slots.some(({ slotMs, grants }) => slotMs >= currentMs && grants.length > 0);
  return !isHeld && edges.every(({ heardAtMs }) => heardAtMs <= nowMs - idleMs);
}

/** Whether home can be told something of a window that has been over for so long. */
function hasOver({ slots }: RegionBudget, nowMs: number, afterMs: number): boolean {
  return slots.some((window) => {
    return overForMs(window, nowMs) >= afterMs && (restOf(window) > 0 || canClose(window, nowMs));
  });
}

function canClose(window: RegionWindow, nowMs: number): boolean {
  return overForMs(window, nowMs) >= (window.grants.length === 0 ? OVER_AFTER_MS : CLOSE_AFTER_MS);
}

/** ms since the window's end; below 0 before it. */
function overForMs({ slotMs }: RegionWindow, nowMs: number): number {
  return nowMs - (slotMs + BUDGET_WINDOW_MS);
}

function isAheadDue(state: RegionBudget, nowMs: number): boolean {
  if (isWaiting(nowMs, state.aheadAskedAtMs, AHEAD_EVERY_MS) || soldInWindow(state, nowMs) === 0) return false;
  const currentMs = budgetWindowStart(nowMs);
  return state.slots.filter((window) => window.slotMs > currentMs && restOf(window) > 0).length < LEAST_AHEAD;
}

/** What a window sells: as the last one did, or what the present one has by now. */
function soldInWindow(state: RegionBudget, nowMs: number): number {
  return Math.max(drawnInLast(state, nowMs), drawnIn(state, budgetWindowStart(nowMs)));
}

/** What is drawn in a millisecond: as in the last window, and what the present one has drawn beyond that. */
function ratePerMs(state: RegionBudget, nowMs: number): number {
  const currentMs = budgetWindowStart(nowMs);
  const elapsedMs = Math.max(DRAWN_AT_ONCE_MS, nowMs - currentMs);
  const lastNanos = drawnInLast(state, nowMs);
  return Math.max(lastNanos / BUDGET_WINDOW_MS, (drawnIn(state, currentMs) - lastNanos) / elapsedMs);
}

/** What was drawn in the window before the present one, or in the last that is closed. */
function drawnInLast(state: RegionBudget, nowMs: number): number {
  return Math.max(drawnIn(state, budgetWindowStart(nowMs) - BUDGET_WINDOW_MS), state.earlierNanos);
}

/** What edges hold of a window, and have sold in it. */
function drawnIn(state: RegionBudget, slotMs: number): number {
  const window = windowAt(state, slotMs);
  return window === undefined ? 0 : leasedNanos(window);
}

/** What the region would like to hold beside what its edges do. */
function lotNanos(state: RegionBudget, { wantNanos }: LeaseRequest, nowMs: number): number {
  const usefulNanos = Math.max(2 * wantNanos, ratePerMs(state, nowMs) * LOT_MS);
  return Math.ceil(Math.min(usefulNanos, Math.max(wantNanos, MOST_SHARE * lowerLimitNanos(state.limits))));
}

interface Keeping {
  /** The window in which more is asked for; null where none is. */
  readonly askedSlotMs: number | null;
  /** What a window sells. */
  readonly windowNanos: number;
  /** Less than this is of no use in a window ahead. */
  readonly leastAheadNanos: number;
  readonly nowMs: number;
  readonly isIdleNow: boolean;
}

/**
 * The most that the region keeps of a window beside what its edges hold: the rest is given back. Near the end of a
 * budget nothing is kept ahead, so that its last impressions can be sold.
 */
function mostKept(
  state: RegionBudget,
  { askedSlotMs, windowNanos, leastAheadNanos, nowMs, isIdleNow }: Keeping,
): (window: RegionWindow) => number {
  if (isIdleNow) return () => 0;
  const currentMs = budgetWindowStart(nowMs);
  const isTold = state.limits.revision === state.toldRevision;
  const heldNanos = state.slots.reduce((sum, window) => (window.slotMs > currentMs ? sum + restOf(window) : sum), 0);
  const freeNanos = Math.min(state.freeTodayNanos ?? Infinity, state.freeTotalNanos ?? Infinity);
  const shareNanos = Math.floor(Math.min((freeNanos + heldNanos) / AHEAD_PARTS, AHEAD_MARGIN * windowNanos));
  const aheadNanos = shareNanos < leastAheadNanos ? 0 : shareNanos;
  return (window) => {
    const { slotMs } = window;
    if (!isTold || overForMs(window, nowMs) >= OVER_AFTER_MS) return 0;
    return slotMs > currentMs && slotMs !== askedSlotMs ? aheadNanos : Infinity;
  };
}

function shortAfter(state: RegionBudget, { slotMs, leastNanos }: LeaseRequest, nowMs: number): RegionBudget['short'] {
  if (restOf(windowAt(state, slotMs)) >= leastNanos) return null;
  const beforeMs = state.short?.slotMs === slotMs ? state.short.waitMs : 0;
  const waitMs = nextWaitMs(beforeMs);
  return { slotMs, untilMs: nowMs + waitMs, waitMs };
}
