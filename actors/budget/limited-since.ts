/**
 * A holder with the instant since which it has had any limit without a break, ms since the epoch; 0 without a limit.
 */
export interface BudgetLimitedHolder {
  readonly limitedSinceMs: number;
}

/** `limitedSinceMs` after a change at `nowMs`: a limit that replaces another keeps the instant of the first. */
export function limitedSince({ limitedSinceMs }: BudgetLimitedHolder, limited: boolean, nowMs: number): number {
  if (!limited) return 0;
  return limitedSinceMs === 0 ? nowMs : limitedSinceMs;
}
