import type { Creative } from '../../../exchange/strategy/document/creative.ts';
import type { KeptCampaign } from './kept-campaign.ts';

/** What a delegate's bid is for; its markup is made when it has won. */
export interface SoldCreative {
  readonly campaign: KeptCampaign;
  readonly creative: Creative;
}
