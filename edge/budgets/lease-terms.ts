import type { BudgetLimits } from '../../actors/budget/messages.ts';

/**
 * First wait, ms, after a request that left too little. Each further wait is twice as long, up to
 * {@link LONGEST_WAIT_MS}.
 */
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;

/** The wait after another request that left too little; `beforeMs`: the one before, 0 when there was none. */
export function nextWaitMs(beforeMs: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, 2 * beforeMs));
}

/**
 * Whether a wait of `waitMs` that began at `sinceMs` goes on, by a wall clock. One that began in the future goes on no
 * longer than that either: the clock was set back, and nothing is held up for as long as it is behind.
 */
export function isWaiting(nowMs: number, sinceMs: number, waitMs: number): boolean {
  return Math.abs(nowMs - sinceMs) < waitMs;
}

/** The lower one of a budget's limits, nano-dollars; 0 without any. */
export function lowerLimitNanos({ dailyNanos, totalNanos }: BudgetLimits): number {
  return Math.min(dailyNanos || totalNanos, totalNanos || dailyNanos);
}

/**
 * An edge with more budgets than this makes as few requests for each as it can; others return at once what is free
 * again.
 */
export const FEW_BUDGETS = 1_000;
