import type { Campaign } from './document/campaign.ts';
import type { Rule } from './document/rule.ts';
import type { Strategy } from './document/strategy.ts';

/** A campaign with all that it bids by. Documents are ones that the validators have passed. */
export interface BiddingCampaign {
  readonly campaign: Campaign;
  /** Those of its strategy that name it, in their order; none for a campaign of the Campaign API. */
  readonly rules: readonly Rule[];
  /** USD CPM where neither a rule nor `base_cpm` says a price; 0: none. */
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
