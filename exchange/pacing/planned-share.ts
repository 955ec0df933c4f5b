/** How a day's budget is to be spent over the day's traffic (readings, "Pacing"). */
export type PacingMode = 'linear' | 'aggressive' | 'conservative';

const plans: Readonly<Record<PacingMode, (trafficShare: number) => number>> = {
  linear: (share) => share,
  aggressive: Math.sqrt,
  conservative: (share) => share * share,
};

/** The share of the daily budget, 0 to 1, that is to be spent when `trafficShare`, 0 to 1, of the day's traffic has gone by. */
export function plannedShare(mode: PacingMode, trafficShare: number): number {
  return plans[mode](trafficShare);
}
