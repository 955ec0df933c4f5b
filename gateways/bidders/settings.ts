import type { BiddingTimes } from '../../edge/settings.ts';
import type { OwnEndpoints } from '../http/own-endpoints.ts';

/** When a bidder is paused, and how it comes back. */
export interface BreakerSettings {
  /** Length of the window that is judged. */
  readonly windowMs: number;
  /** Calls within the window below which nothing is concluded. */
  readonly minimumCalls: number;
  /** Share of calls in the window that timed out, 0..1, at which the breaker opens. */
  readonly timeoutRate: number;
  /** Share of calls in the window that failed otherwise, 0..1, at which it opens. */
  readonly errorRate: number;
  /** How long it stays open before the first probe. */
  readonly openMs: number;
  /** Good answers in a row, one probe at a time, that close it. */
  readonly probesToClose: number;
}

/** How the exchange calls bidders. The same for all; a demand source's own `timeout_ms` can only lower the deadline. */
export interface BidderSettings extends BiddingTimes {
  /** With less left than this a bidder is not called. */
  readonly minTimeoutMs: number;
  /** Largest answer, in bytes, before and after decompression. */
  readonly maxResponseBytes: number;
  /** Calls in flight to one bidder, which is also its connections. */
  readonly maxConcurrentCalls: number;
  /** Calls a second to one bidder from one edge; whatever its `qps_limit`, which is the whole exchange's. */
  readonly maxCallsPerSecond: number;
  /** A connection not used for this long is closed; a bidder's own Keep-Alive header overrides it. */
  readonly keepAliveMs: number;
  readonly connectTimeoutMs: number;
  /** Whether endpoints and notices may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
  /** What URLs of hosted creatives begin with, without a slash at the end: where the synthetic demand's files are. */
  readonly creativesUrl: string;
  readonly breaker: BreakerSettings;
}

export const DEFAULT_BIDDER_SETTINGS: BidderSettings = {
  maxTimeoutMs: 150,
  answerMarginMs: 10,
  minTimeoutMs: 5,
  maxResponseBytes: 256 * 1024,
  maxConcurrentCalls: 256,
  maxCallsPerSecond: 10_000,
  keepAliveMs: 4_000,
  connectTimeoutMs: 1_000,
  allowPrivateNetworks: false,
  creativesUrl: 'http://localhost:8081',
  breaker: {
    windowMs: 10_000,
    minimumCalls: 20,
    timeoutRate: 0.5,
    errorRate: 0.5,
    openMs: 30_000,
    probesToClose: 3,
  },
};
