/** The share of a budget beyond which no more bids are made. */
export const CAP_SHARE = 0.95;

/**
 * How steeply the probability falls. With demand of n times what the plan needs, spend settles where the probability is
 * 1/n: ahead of the plan by (1 - n^(-1/STEEPNESS)) of the distance between plan and cap. That is 0.6 % of the distance
 * for 10 times and 1.7 % for 1,000 times the demand.
 */
const STEEPNESS = 400;

/**
 * The probability of a bid under a plan, 0 to 1. It is 1 while `spentShare` is not ahead of `plannedShare`, and falls
 * smoothly from there to 0 at {@link CAP_SHARE}. Both arguments are shares of the budget.
 */
export function pacedProbability(spentShare: number, plannedShare: number): number {
  if (spentShare >= CAP_SHARE) return 0;
  if (spentShare <= plannedShare) return 1;
  return ((CAP_SHARE - spentShare) / (CAP_SHARE - plannedShare)) ** STEEPNESS;
}
