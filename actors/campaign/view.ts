import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';

/** What an edge knows of a campaign: all that it bids by. Its environment and partner are those of its demand source. */
export interface CampaignView extends BiddingCampaign {
  readonly id: string;
  readonly accountId: string;
  readonly dspId: string;
}
