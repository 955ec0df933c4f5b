import type { Campaign } from '../../exchange/strategy/document/campaign.ts';

/** What a campaign may spend, and by which plan. */
export type CampaignBudget = NonNullable<Campaign['budget']>;

/** Nano-dollars that a request has campaigns bid so far, by campaign and by demand source. */
export type RequestBidTotals = ReadonlyMap<string, number>;

/** How eagerly campaigns bid, by what they have spent and what they may still come to spend. */
export interface CampaignPace {
  /**
   * The probability, 0 to 1, that the campaign bids `priceNanos` (nano-dollars for one impression) now (readings, "Pacing"): 1
   * where it has no daily budget, 0 from 95 per cent of one on, and 0 for a price that what is left cannot pay. No more than a
   * plan: what bounds spend are leases (budgets/). Null while it is not known what has been spent: then nothing is bid, and
   * {@link pendingReads} may be worth a wait. What the same request has bid so far counts as if it had won. Plain memory: called for
   * every matching campaign.
   */
  bidProbability(
    campaignId: string,
    dspId: string,
    budget: CampaignBudget | null,
    priceNanos: number,
    nowMs: number,
    bidSoFar?: RequestBidTotals,
  ): number | null;
  /**
   * Null unless something of what was unknown is being read: then it resolves when that has come, or when it has taken too long to
   * be waited for. Never rejects.
   */
  pendingReads(): Promise<void> | null;
  /**
   * A request's bids go into its auction: until {@link removePendingBids}, with the same bids, they count for every other request as if they
   * had won. So however many auctions wait for bidders at once, they do not all bid what is left for one.
   */
  addPendingBids(bids: RequestBidTotals): void;
  /** The auction is over: what it has sold is reserved. */
  removePendingBids(bids: RequestBidTotals): void;
  /** A win that may come to be billed: counts as far as wins are usually shown, until they usually are. Returns at once. */
  reserve(campaignId: string, dspId: string, priceNanos: number): void;
  /** An impression, sold by whichever edge at `soldAtMs`, that this edge has billed at `atMs`. Returns at once. */
  onBilled(campaignId: string, dspId: string, priceNanos: number, soldAtMs: number, atMs: number): void;
}
