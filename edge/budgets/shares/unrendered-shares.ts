import type { CatalogueCampaign } from '../../catalogue/kept-campaign.ts';

/**
 * The share of budgets that a publisher may hold with sales not yet rendered. It is plain memory: nothing is waited
 * for.
 */
export interface UnrenderedShares {
  /**
   * Reserves an impression sold to a publisher at `soldAtMs` (ms since the epoch), at a price in nano-dollars of its
   * DSP's and of its campaign's budget; `campaign` is null for a DSP that bids for itself. False: the publisher would
   * hold more than its share of one of them, and the impression must not be sold.
   */
  reserve(
    publisherId: string,
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    soldAtMs: number,
  ): boolean;
  /** Returns a reservation made with the same arguments: the impression was not sold after all. */
  release(
    publisherId: string,
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    soldAtMs: number,
  ): void;
}
