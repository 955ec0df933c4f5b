import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';

/**
 * The projection of a campaign: all that an edge bids by. Its environment and partner are those of its demand source.
 */
export interface CampaignProjection extends BiddingCampaign {
  readonly id: string;
  readonly accountId: string;
  readonly dspId: string;
  /** Since when it has had a budget without a break, ms since the epoch; 0 without a budget. */
  readonly limitedSinceMs: number;
  /** The revision of the campaign: the newest says what its budget is. */
  readonly revision: number;
}
