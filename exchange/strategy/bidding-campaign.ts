import type { Campaign } from './document/campaign.ts';
import type { Rule } from './document/rule.ts';
import type { Strategy } from './document/strategy.ts';

/** A campaign with everything that decides its bids. The documents are ones that the validators accepted. */
export interface BiddingCampaign {
  readonly campaign: Campaign;
  /**
   * The rules of its strategy that name the campaign, in the strategy's order; none for a campaign of the Campaign API.
   */
  readonly rules: readonly Rule[];
  /** The price in USD CPM where neither a rule nor `base_cpm` gives one; 0 means that there is none. */
  readonly defaultBidCpm: number;
  readonly paused: boolean;
}

/** The campaigns of a strategy, each with its rules. */
export function campaignsOfStrategy({ campaigns, rules, default_bid: defaultBidCpm }: Strategy): BiddingCampaign[] {
  const byCampaign = new Map<string, Rule[]>(campaigns.map(({ campaign_id: id }) => [id, []]));
  for (const rule of rules) byCampaign.get(rule.campaign_id)?.push(rule);
  return campaigns.map((campaign) => ({
    campaign,
    rules: byCampaign.get(campaign.campaign_id) ?? [],
    defaultBidCpm,
    paused: campaign.status === 'paused',
  }));
}
