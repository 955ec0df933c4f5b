import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { RequestBidTotals } from '../pace/campaign-pace.ts';

/**
 * The budgets of DSPs and campaigns as this edge may sell from them now. All of it is plain memory: sales are paid from
 * leases granted beforehand. A holder without a limit can always pay, and no state is held for it.
 *
 * Prices are nano-dollars for one impression; `campaign` is null for a DSP that bids for itself.
 */
export interface EdgeBudgets {
  /**
   * Reserves the price of an impression sold at `soldAtMs` (ms since the epoch, as its tracking URL will say). Both its
   * DSP's and its campaign's budget pay. False: neither does, and it must not be sold.
   */
  reserve(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): boolean;
  /** Returns a reservation made with the same arguments: the impression was not sold after all. */
  release(dspId: string, campaign: CatalogueCampaign | null, priceNanos: number, soldAtMs: number): void;
  /**
   * Whether the budgets can pay a bid of this price, and `bidSoFar` too, now; with `priceNanos` 0: whether they can pay
   * any bid. Null while that is unknown: then there must be no bid, and {@link pendingLeases} may be worth a wait.
   */
  available(
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    nowMs: number,
    bidSoFar?: RequestBidTotals,
  ): boolean | null;
  /**
   * Null unless something unknown is being leased. The promise resolves when it has arrived, or when it has taken too
   * long. Never rejects.
   */
  pendingLeases(): Promise<void> | null;
}

/** Budgets for auctions that are only simulated: every bid can be paid. */
export const UNLIMITED_BUDGETS: EdgeBudgets = {
  reserve: () => true,
  release: () => undefined,
  available: () => true,
  pendingLeases: () => null,
};
