import type { OwnEndpoints } from '../../http/own-endpoints.ts';
import type { NoticeKind } from './notice.ts';

/** When a notice is tried again that failed: after a 5xx, 408 or 429, a timeout, a broken connection. */
export interface RetryPolicy {
  readonly delayMs: number;
  /** In all. */
  readonly attempts: number;
}

/**
 * How far notices may go. Money goes first: what is no billing notice has half of each bound that it would share with billing
 * notices.
 */
export interface NoticeSettings {
  /** Notices of one kind waiting for one host, retries aside; the newest is dropped beyond. */
  readonly maxWaitingPerHost: number;
  /** Notices in flight to one host, which is also its connections: one slow host delays no other. */
  readonly maxInFlightPerHost: number;
  /** Notices in flight to all hosts of one DSP. */
  readonly maxInFlightPerDsp: number;
  /** Hosts of one DSP that are served at once; a notice to one more is dropped when none of its own is idle. */
  readonly maxHostsPerDsp: number;
  /** The same of all DSPs; the idle hosts of who has most of them go first. */
  readonly maxHosts: number;
  /** What waits for one host, for one DSP's and for all, in characters of memory: what would be more is dropped. */
  readonly maxCharsPerHost: number;
  readonly maxCharsPerDsp: number;
  readonly maxChars: number;
  /** From the first byte sent, or from the wish to connect, to the end of the answer. */
  readonly timeoutMs: number;
  readonly retries: Readonly<Record<NoticeKind, RetryPolicy>>;
  readonly maxUrlLength: number;
  /** As for bidders' endpoints. */
  readonly allowPrivateNetworks: boolean;
  /** Where none of them leads, whatever its address; absent: nowhere. */
  readonly ownEndpoints?: OwnEndpoints;
}

const QUICK_RETRY: RetryPolicy = { delayMs: 500, attempts: 3 };

export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  maxWaitingPerHost: 2_000,
  maxInFlightPerHost: 16,
  maxInFlightPerDsp: 32,
  maxHostsPerDsp: 16,
  maxHosts: 2_048,
  // A host that is dead for a minute, with a thousand impressions a second.
  maxCharsPerHost: 24_000_000,
  maxCharsPerDsp: 24_000_000,
  maxChars: 96_000_000,
  timeoutMs: 1_000,
  // Money is told every ten seconds for a minute; who has won or lost is of no use later.
  retries: { win: QUICK_RETRY, billing: { delayMs: 10_000, attempts: 7 }, loss: QUICK_RETRY },
  maxUrlLength: 8_192,
  allowPrivateNetworks: false,
};
