import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';

/** The campaign, rule and creative of a delegate's bid. Its markup is rendered when it has won. */
export interface SoldCreative {
  readonly campaign: CatalogueCampaign;
  readonly creative: Creative;
  /** The campaign's rule that matched; null for a campaign that bids on its targeting alone. */
  readonly ruleId: string | null;
}
