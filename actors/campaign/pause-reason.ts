import type { CampaignState } from './reduce.ts';

/** What keeps a campaign from bidding, where more than one does: the first of these. */
export type PauseReason = 'hand' | 'strategy' | 'total_budget' | 'daily_budget';

/**
 * Null for one that is not paused (or retired). `day`: the UTC day that is asked about, `yyyy-mm-dd`. A budget of one day pauses for
 * that day alone: on the next the campaign is active, whether anybody has renewed it or not.
 */
export function pauseReasonOf(
  { campaign, pausedByHand, exhaustedDay, totalExhausted }: CampaignState,
  day: string,
): PauseReason | null {
  if (pausedByHand) return 'hand';
  if (campaign?.status === 'paused') return 'strategy';
  if (totalExhausted) return 'total_budget';
  return exhaustedDay === day ? 'daily_budget' : null;
}
