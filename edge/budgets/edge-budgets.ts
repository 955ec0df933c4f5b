import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { RequestBidTotals } from '../pace/campaign-pace.ts';

/**
 * What demand sources and campaigns may still be sold for here and now. All of it is plain memory: what an edge sells is paid from
 * leases that it had before. A holder without a limit has always room, and nothing of it is kept.
 *
 * Prices are nano-dollars for one impression; `campaign` is null for a demand source that bids for itself.
 */
export interface EdgeBudgets {
  /**
   * An impression is sold at `soldAtMs` (ms since the epoch, as its tracking URL will say): both its demand source's and its
   * campaign's budget pay, or neither does and it must not be sold.
   */
  reserve(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): boolean;
  /** What was taken with the same words was not sold after all. */
  release(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): void;
  /**
   * Whether a bid of this price could be paid now, and `bidSoFar` too; `priceNanos` 0: whether there is anything to bid with. Null
   * while that is not known: then nothing is to be bid, and {@link pendingLeases} may be worth a wait.
   */
  available(
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    nowMs: number,
    bidSoFar?: RequestBidTotals,
  ): boolean | null;
  /**
   * Null unless something of what was unknown is being leased: then it resolves when that has come, or when it has taken too long
   * to be waited for. Never rejects.
   */
  pendingLeases(): Promise<void> | null;
}

/** Where nobody pays: auctions that are only imagined. */
export const UNLIMITED_BUDGETS: EdgeBudgets = {
  reserve: () => true,
  release: () => undefined,
  available: () => true,
  pendingLeases: () => null,
};
