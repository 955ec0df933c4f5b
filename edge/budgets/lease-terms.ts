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

/** The lower one of a budget's limits, nano-dollars; 0 without any. */
export function lowerLimitNanos({ dailyNanos, totalNanos }: BudgetLimits): number {
  return Math.min(dailyNanos || totalNanos, totalNanos || dailyNanos);
}

/**
 * An edge with more budgets than this makes as few requests for each as it can; others return at once what is free
 * again.
 */
export const FEW_BUDGETS = 1_000;
