import type { CatalogueCampaign } from '../../catalogue/kept-campaign.ts';

/** What a publisher may hold of others' budgets with what was sold to it and not rendered. Plain memory; nothing is waited for. */
export interface UnrenderedShares {
  /**
   * An impression is sold to a publisher at `soldAtMs` (ms since the epoch), for so many nano-dollars of its demand source's and of its
   * campaign's budget; null for a demand source that bids for itself. False: it would hold more than its share of one of them, and
   * the impression must not be sold.
   */
  reserve(
    publisherId: string,
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    soldAtMs: number,
  ): boolean;
  /** What was taken with the same words was not sold after all. */
  release(
    publisherId: string,
    dspId: string,
    campaign: CatalogueCampaign | null,
    priceNanos: number,
    soldAtMs: number,
  ): void;
}
