/** Of a holder: since when it has had any limit without a break, ms since the epoch; 0 without one. */
export interface BudgetLimitedHolder {
  readonly limitedSinceMs: number;
}

/** The same after a change at `nowMs`: a limit that takes another's place has been there since that one was. */
export function limitedSince({ limitedSinceMs }: BudgetLimitedHolder, limited: boolean, nowMs: number): number {
  if (!limited) return 0;
  return limitedSinceMs === 0 ? nowMs : limitedSinceMs;
}
