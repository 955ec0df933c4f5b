/** How a day's budget is spread over the day's traffic (readings, "Pacing"). */
export type PacingMode = 'linear' | 'aggressive' | 'conservative';

const plans: Readonly<Record<PacingMode, (trafficShare: number) => number>> = {
  linear: (share) => share,
  aggressive: Math.sqrt,
  conservative: (share) => share * share,
};

/**
 * The share of the daily budget, 0 to 1, that should be spent when `trafficShare` of the day's traffic, 0 to 1, has
 * passed.
 */
export function plannedShare(mode: PacingMode, trafficShare: number): number {
  return plans[mode](trafficShare);
}
