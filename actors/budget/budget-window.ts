/**
 * The length of a budget window, ms: budgets are leased by five-minute spans of the UTC day. An impression belongs to
 * the window in which it was sold, by the time in its signed tracking URL, whenever and wherever it is rendered. So the
 * URL names the lease that pays and the UTC day that is charged, and a lease needs no name of its own.
 */
export const BUDGET_WINDOW_MS = 300_000;

/** The start of the budget window of an instant, ms since the epoch. A window never spans two UTC days. */
export function budgetWindowStart(soldAtMs: number): number {
  return Math.floor(soldAtMs / BUDGET_WINDOW_MS) * BUDGET_WINDOW_MS;
}
