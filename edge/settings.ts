import type { ConsentPolicy } from '../exchange/consent/consent-evaluator.ts';

/** What decides about an ad request beside the catalogue. */
export interface AuctionSettings {
  /** `fra`, `nyc` or `lon`. */
  readonly region: string;
  /** What URLs of hosted creatives begin with, without a slash at its end. */
  readonly publicCreativesUrl: string;
  /** The exchange's name in supply chains and ads.txt: the domain that its sellers.json is on. */
  readonly exchangeDomain: string;
  readonly privacy: ConsentPolicy;
  /** IAB Content Taxonomy 1.0: what is sold to nobody. */
  readonly blockedCategories: readonly string[];
  /** Whether every imp is sold as one that asks for secure creatives. */
  readonly httpsCreativesOnly: boolean;
  /** An auction that took longer than this, because the process was busy, is answered 503 instead of with an ad. */
  readonly maxAuctionMs: number;
  /** How long after its auction an impression may still be shown. */
  readonly renderWindowMs: number;
  readonly bidders: BiddingTimes;
}

export interface BiddingTimes {
  /** Longest wait for any bidder: the specification's 150 ms. */
  readonly maxTimeoutMs: number;
  /** Kept back from the caller's `tmax` for our own work and the way home. */
  readonly answerMarginMs: number;
}
