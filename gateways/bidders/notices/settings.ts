import type { SecureContext } from 'node:tls';
import { MAX_NOTICE_URL } from '#exchange/openrtb/macros';
import type { OwnEndpoints } from '../../http/own-endpoints.ts';
import type { NoticeKind } from './notice.ts';

/** When a failed notice is retried: after a 5xx, 408 or 429, a timeout or a broken connection. */
export interface RetryPolicy {
  readonly delayMs: number;
  /** Attempts in all. */
  readonly attempts: number;
}

/**
 * Bounds of notices. Billing notices come first: the other kinds have half of each bound that they share with billing
 * notices.
 */
export interface NoticeSettings {
  /** Upper bound of notices of one kind that wait for one host, without retries; beyond it, the newest is dropped. */
  readonly maxWaitingPerHost: number;
  /** Notices in flight to one host, which is also its number of connections: a slow host does not delay others. */
  readonly maxInFlightPerHost: number;
  /** Notices in flight to all hosts of one DSP. */
  readonly maxInFlightPerDsp: number;
  /** Hosts of one DSP that are served at once; a notice to one more host is dropped when none of them is idle. */
  readonly maxHostsPerDsp: number;
  /** Hosts of all DSPs that are served at once; idle hosts of the DSP with the most hosts are closed first. */
  readonly maxHosts: number;
  /**
   * Memory, in characters, of the notices that wait for one host, for one DSP's hosts and for all hosts; notices beyond
   * it are dropped.
   */
  readonly maxCharsPerHost: number;
  readonly maxCharsPerDsp: number;
  readonly maxChars: number;
  /** ms from the first byte sent, or from the start of connecting, to the end of the answer. */
  readonly timeoutMs: number;
  readonly retries: Readonly<Record<NoticeKind, RetryPolicy>>;
  readonly maxUrlLength: number;
  /** As for bidders' endpoints. */
  readonly allowPrivateNetworks: boolean;
  /** Addresses of the exchange itself that no notice may go to; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
  /** As for bidders' endpoints. */
  readonly secureContext?: SecureContext;
}

const QUICK_RETRY: RetryPolicy = { delayMs: 500, attempts: 3 };

export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  maxWaitingPerHost: 2_000,
  maxInFlightPerHost: 16,
  maxInFlightPerDsp: 32,
  maxHostsPerDsp: 16,
  maxHosts: 2_048,
  // Enough for a host that is down for a minute, with a thousand impressions a second.
  maxCharsPerHost: 24_000_000,
  maxCharsPerDsp: 24_000_000,
  maxChars: 96_000_000,
  timeoutMs: 1_000,
  // Billing notices are retried every ten seconds for a minute; a late win or loss notice is useless.
  retries: { win: QUICK_RETRY, billing: { delayMs: 10_000, attempts: 7 }, loss: QUICK_RETRY },
  maxUrlLength: MAX_NOTICE_URL,
  allowPrivateNetworks: false,
};
