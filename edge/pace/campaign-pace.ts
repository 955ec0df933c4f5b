import type { Campaign } from '../../exchange/strategy/document/campaign.ts';

/** A campaign's limits of spend and its pacing plan. */
export type CampaignBudget = NonNullable<Campaign['budget']>;

/** Nano-dollars that one request's bids would cost so far, by campaign and by DSP. */
export type RequestBidTotals = ReadonlyMap<string, number>;

/** Paces campaigns: decides how often they bid, by what they have spent and what their open sales may still cost. */
export interface CampaignPace {
  /**
   * The probability, 0 to 1, that the campaign bids `priceNanos` (nano-dollars for one impression) now (readings,
   * "Pacing"): 1 without a daily budget, 0 from 95 per cent of one on, and 0 for a price that the rest cannot pay. It
   * is only a plan: leases (budgets/) bound the spend. Null while the spend is unknown: then there must be no bid, and
   * {@link pendingReads} may be worth a wait. The request's earlier bids count as if they had won. Plain memory: called
   * for every matching campaign.
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
   * Null unless something unknown is being read. The promise resolves when it has arrived, or when it has taken too
   * long. Never rejects.
   */
  pendingReads(): Promise<void> | null;
  /**
   * Adds a request's bids before its auction waits: until {@link removePendingBids} with the same bids, they count for
   * every other request as if they had won. However many auctions wait for bidders at once, they do not all bid the
   * same rest of a budget.
   */
  addPendingBids(bids: RequestBidTotals): void;
  /** Removes a request's bids as its auction ends: its sales are reserved by then. */
  removePendingBids(bids: RequestBidTotals): void;
  /** Adds a win that may be billed. It counts in the proportion in which wins are usually rendered. Returns at once. */
  reserve(campaignId: string, dspId: string, priceNanos: number): void;
  /** Counts an impression, sold by any edge at `soldAtMs`, that this edge has billed at `atMs`. Returns at once. */
  onBilled(campaignId: string, dspId: string, priceNanos: number, soldAtMs: number, atMs: number): void;
}
