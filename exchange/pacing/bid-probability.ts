/** Nothing is bid past this share of a budget. */
export const CAP_SHARE = 0.95;

/**
 * How steeply the probability falls. With n times the demand that the plan needs, spend settles where the probability is 1/n:
 * (1 - n^(-1/STEEPNESS)) of what lies between plan and cap ahead of the plan. That is 0.6 per cent for 10 times and 1.7 per cent
 * for 1,000 times the demand.
 */
const STEEPNESS = 400;

/**
 * The probability, 0 to 1, to bid by a plan: 1 while `spentShare` is not ahead of `plannedShare`, from there smoothly down to 0 at
 * {@link CAP_SHARE}. Both are shares of the budget.
 */
export function pacedProbability(spentShare: number, plannedShare: number): number {
  if (spentShare >= CAP_SHARE) return 0;
  if (spentShare <= plannedShare) return 1;
  return ((CAP_SHARE - spentShare) / (CAP_SHARE - plannedShare)) ** STEEPNESS;
}
