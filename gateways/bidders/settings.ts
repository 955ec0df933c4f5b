import type { SecureContext } from 'node:tls';
import type { BiddingTimes } from '../../edge/settings.ts';
import type { OwnEndpoints } from '../http/own-endpoints.ts';

/** When a bidder is paused, and how it is called again. */
export interface BreakerSettings {
  /** Length of the window that is judged, ms. */
  readonly windowMs: number;
  /** Calls within the window below which there is no judgement. */
  readonly minimumCalls: number;
  /** Share of calls in the window that timed out, 0..1, at which the breaker opens. */
  readonly timeoutRate: number;
  /** Share of calls in the window that failed otherwise, 0..1, at which it opens. */
  readonly errorRate: number;
  /** ms for which the breaker stays open before the first probe. */
  readonly openMs: number;
  /** Successful probes in a row, one at a time, that close it. */
  readonly probesToClose: number;
}

/**
 * How the exchange calls bidders. The settings are the same for all; a DSP's own `timeout_ms` can only lower the
 * deadline.
 */
export interface BidderSettings extends BiddingTimes {
  /** A bidder is not called with less than this many ms left. */
  readonly minTimeoutMs: number;
  /** Largest answer, in bytes, before and after decompression. */
  readonly maxResponseBytes: number;
  /** Calls in flight to one bidder, which is also its number of connections. */
  readonly maxConcurrentCalls: number;
  /** Calls a second to one bidder from one edge, whatever its `qps_limit`, which applies to the whole exchange. */
  readonly maxCallsPerSecond: number;
  /** ms of disuse after which a connection is closed; a bidder's own Keep-Alive header overrides it. */
  readonly keepAliveMs: number;
  readonly connectTimeoutMs: number;
  /** `sockets`: the exchange's own client, HTTP/1.1. `undici`: the library's, which speaks HTTP/2 too; dearer. */
  readonly httpClient: 'sockets' | 'undici';
  /** Whether endpoints and notices may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Addresses of the exchange itself that no endpoint may have; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** See `ConnectionOptions`. */
  readonly secureContext?: SecureContext;
  /** Prefix of the URLs of hosted creatives, without a slash at its end: the synthetic demand's files are there. */
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
  httpClient: 'sockets',
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
