import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';

/** What a delegate's bid is for; its markup is made when it has won. */
export interface SoldCreative {
  readonly campaign: CatalogueCampaign;
  readonly creative: Creative;
  /** The rule of the campaign that matched; null for one that bids on its targeting alone. */
  readonly ruleId: string | null;
}
