import type { ConsentPolicy } from '../exchange/consent/consent-evaluator.ts';

/** Settings that decide about an ad request, beside the catalogue. */
export interface AuctionSettings {
  /** `fra`, `nyc` or `lon`. */
  readonly region: string;
  /** Prefix of the URLs of hosted creatives, without a slash at its end. */
  readonly publicCreativesUrl: string;
  /** The exchange's name in supply chains and ads.txt: the domain that its sellers.json is on. */
  readonly exchangeDomain: string;
  readonly privacy: ConsentPolicy;
  /** IAB Content Taxonomy 1.0: categories that the exchange never sells. */
  readonly blockedCategories: readonly string[];
  /** Whether every imp is sold as one that asks for secure creatives. */
  readonly httpsCreativesOnly: boolean;
  /**
   * Upper bound of an auction, ms. An auction that took longer, because the process was busy, is answered with 503 and
   * no ad.
   */
  readonly maxAuctionMs: number;
  /** ms after its auction within which an impression may be rendered. */
  readonly renderWindowMs: number;
  readonly bidders: BiddingTimes;
}

export interface BiddingTimes {
  /** Longest wait for any bidder, ms: the specification's 150 ms. */
  readonly maxTimeoutMs: number;
  /** ms kept back from the caller's `tmax` for the exchange's own work and the network. */
  readonly answerMarginMs: number;
}
