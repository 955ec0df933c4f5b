import { campaign, campaignProjection } from '#actors/campaign/campaign';
import type { CampaignProjection } from '#actors/campaign/fields';
import type { CampaignState } from '#actors/campaign/reduce';
import type { DspState } from '#actors/dsp/reduce';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/**
 * Asserts that a demand source can have campaigns and a strategy, which only delegates that are not archived can:
 * VALIDATION_ERROR or CONFLICT for others.
 */
export function assertDelegate({ mode, status }: DspState, field: string | undefined): void {
  if (mode !== 'delegate') {
    throw new ApiError('VALIDATION_ERROR', 'The demand source bids for itself: its mode is rtb, not delegate.', field);
  }
  assertNotArchived(status);
}

export function assertNotArchived(status: DspState['status']): void {
  if (status === 'archived') throw new ApiError('CONFLICT', 'The demand source is archived.');
}

/**
 * All campaigns that a delegate bids with, of its strategy and of the Campaign API, also paused ones, the oldest first.
 */
export async function loadBiddingCampaigns({ store }: ManagementDeps, dspId: string): Promise<CampaignProjection[]> {
  const { documents } = await store.query(campaign.kind, { where: { dspId }, orderBy: 'createdAt' });
  return documents.flatMap(({ id, state }) => campaignProjection(state as CampaignState, id) ?? []);
}
