import type { AuctionSettings } from '../../edge/settings.ts';
import { PROHIBITED_CATEGORIES } from '../../exchange/auction/prohibited.ts';
import type { RegionAddress } from '../../exchange/region.ts';
import { type BidderSettings, DEFAULT_BIDDER_SETTINGS } from '../bidders/settings.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../http/connection-limits.ts';
import { type BodyLimits, DEFAULT_BODY_LIMITS } from './http/body-limits.ts';

export interface EdgeSettings extends AuctionSettings {
  /** Prefix of generated URLs, without a slash at its end. */
  readonly publicEdgeUrl: string;
  /** Where the edges of each region are: what tags choose among; empty or one: there is nothing to choose. */
  readonly regionUrls: readonly RegionAddress[];
  /** Master secret from which the keys of tracking URLs are derived. */
  readonly secretKey: string;
  /** Number of the exchange's own proxies before this edge, each of which adds to X-Forwarded-For. */
  readonly trustProxyHops: number;
  /** Largest ad request, in bytes, before and after decompression. */
  readonly maxBodyBytes: number;
  readonly bodies: BodyLimits;
  readonly connections: ConnectionLimits;
  /** Auctions under way at once, each with its complete body; further requests are refused with 503. */
  readonly maxAuctionsInFlight: number;
  /** Answers of fewer bytes than this are not compressed. */
  readonly gzipFromBytes: number;
  readonly bidders: BidderSettings;
  /** The code by which clients of Prebid Server ask this exchange as a bidder. */
  readonly prebidBidderCode: string;
  /** Most bytes of bids that this process keeps in the cache of Prebid Server's clients. */
  readonly prebidCacheBytes: number;
}

export const DEFAULT_EDGE_SETTINGS: Omit<
  EdgeSettings,
  'region' | 'publicEdgeUrl' | 'publicCreativesUrl' | 'secretKey' | 'renderWindowMs'
> = {
  regionUrls: [],
  exchangeDomain: 'localhost',
  privacy: { vendorId: null, truncateWithoutConsent: true },
  blockedCategories: PROHIBITED_CATEGORIES,
  httpsCreativesOnly: false,
  trustProxyHops: 0,
  maxBodyBytes: 1024 * 1024,
  bodies: DEFAULT_BODY_LIMITS,
  connections: DEFAULT_CONNECTION_LIMITS,
  maxAuctionsInFlight: 2_000,
  maxAuctionMs: 1_000,
  gzipFromBytes: 1_024,
  bidders: DEFAULT_BIDDER_SETTINGS,
  prebidBidderCode: 'adexchange',
  prebidCacheBytes: 64 * 1024 * 1024,
};
