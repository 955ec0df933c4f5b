import type { CampaignProjection } from '../../actors/campaign/fields.ts';
import type { Campaign } from '../../exchange/strategy/document/campaign.ts';
import type { Rule } from '../../exchange/strategy/document/rule.ts';

/** The fields of a campaign that a test sets; the default is a live 300×250 banner at 1 CPM that bids everywhere. */
export interface CampaignFields extends Partial<Campaign> {
  readonly id: string;
  readonly rules?: readonly Rule[];
  readonly defaultBidCpm?: number;
  readonly paused?: boolean;
}

export function makeCampaignProjection(dspId: string, fields: CampaignFields): CampaignProjection {
  const { id, rules = [], defaultBidCpm = 0, paused = false, ...campaign } = fields;
  return {
    id,
    accountId: 'account-1',
    dspId,
    rules,
    defaultBidCpm,
    paused,
    limitedSinceMs: campaign.budget === undefined ? 0 : 1,
    revision: 1,
    campaign: {
      campaign_id: id,
      campaign_name: id,
      bidding: { base_cpm: 1 },
      ...(campaign.creatives === undefined ? { creative: htmlCreative(`${id}-creative`) } : {}),
      ...campaign,
    },
  };
}

/** An HTML creative, which needs no asset. */
export function htmlCreative(creativeId: string) {
  return {
    creative_id: creativeId,
    html: `<a href="https://advertiser.test/">${creativeId}</a>`,
    width: 300,
    height: 250,
  };
}
