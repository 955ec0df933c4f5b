import type { Campaign } from '../../../exchange/strategy/document/campaign.ts';

/** What a campaign may spend, and by which plan. */
export type CampaignBudget = NonNullable<Campaign['budget']>;

/** How eagerly campaigns bid, by what they have spent and what they may still come to spend. */
export interface CampaignPace {
  /**
   * The probability, 0 to 1, that the campaign bids now (readings, "Pacing"): 1 without a budget, 0 from 95 per cent of it on.
   * Plain memory: called for every matching campaign of an auction.
   */
  bidProbability(campaignId: string, dspId: string, budget: CampaignBudget | null, nowMs: number): number;
  /** A win that may come to be billed: reserved until it is shown or `untilMs` has passed. Prices in nano-dollars. */
  reserve(campaignId: string, dspId: string, priceNanos: number, trackingId: string, untilMs: number): void;
  /** An impression that this edge has billed. */
  billed(campaignId: string, dspId: string, priceNanos: number, trackingId: string, atMs: number): void;
}
