import type { Static } from 'typebox';
import type { PausedByName } from './fields.ts';
import type { CampaignState } from './reduce.ts';

/** The reason why a campaign does not bid; the first of these where more than one applies. */
export type PauseReason = Static<typeof PausedByName>;

/**
 * The reason why a campaign is paused; null for a campaign that is not paused, and for a retired one. `day` is the UTC
 * day in question, `yyyy-mm-dd`; `budgetId` is the campaign's budget at present, and no other pauses it. A daily budget
 * pauses for its day alone: on the next day the campaign is active, with or without a `renew`.
 */
export function pauseReasonOf(
  { campaign, pausedByHand, exhaustedDay, totalExhausted, exhaustedBudgetId }: CampaignState,
  day: string,
  budgetId: string,
): PauseReason | null {
  if (pausedByHand) return 'hand';
  if (campaign?.status === 'paused') return 'strategy';
  if (exhaustedBudgetId !== undefined && exhaustedBudgetId !== budgetId) return null;
  if (totalExhausted) return 'total_budget';
  return exhaustedDay === day ? 'daily_budget' : null;
}
