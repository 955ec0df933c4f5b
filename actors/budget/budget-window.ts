/**
 * Budgets are spent slot by slot: stretches of five minutes of the UTC day. An impression belongs to the slot in which it
 * was sold, by the time that its signed tracking URL carries, whenever and wherever it is rendered; so the URL names the
 * lease that pays and the UTC day that is charged, and no lease needs a name of its own.
 */
export const BUDGET_WINDOW_MS = 300_000;

/** Start of the slot of an instant, ms since the epoch. No slot lies in two UTC days. */
export function budgetWindowStart(soldAtMs: number): number {
  return Math.floor(soldAtMs / BUDGET_WINDOW_MS) * BUDGET_WINDOW_MS;
}
