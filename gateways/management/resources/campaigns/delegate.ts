import { campaign, campaignProjection } from '#actors/campaign/campaign';
import type { CampaignProjection } from '#actors/campaign/fields';
import type { CampaignState } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
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
 * Asserts that the demand source was not archived while something was written for it: archiving may have read before
 * the write, so `close` then ends what was written, and the answer is CONFLICT.
 */
export async function assertStillNotArchived(
  { store }: Pick<ManagementDeps, 'store'>,
  dspId: string,
  close: () => Promise<unknown>,
): Promise<void> {
  const [document] = await store.load([{ kind: dsp.kind, id: dspId }]);
  const { status } = document!.state as DspState;
  if (status === 'archived') await close();
  assertNotArchived(status);
}

/**
 * All campaigns that a delegate bids with, of its strategy and of the Campaign API, also paused ones, the oldest first.
 */
export async function loadBiddingCampaigns({ store }: ManagementDeps, dspId: string): Promise<CampaignProjection[]> {
  const { documents } = await store.query(campaign.kind, { where: { dspId }, orderBy: 'createdAt' });
  return documents.flatMap(({ id, state }) => campaignProjection(state as CampaignState, id) ?? []);
}
