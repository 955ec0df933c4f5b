export interface NoticeSettings {
  /** Notices waiting for one host; the newest is dropped beyond. */
  readonly maxWaitingPerHost: number;
  /** Notices in flight to one host, which is also its connections: one slow host delays no other. */
  readonly maxInFlightPerHost: number;
  /** Hosts served at once; a notice to one more is dropped when none is idle. */
  readonly maxHosts: number;
  /** From the first byte sent, or from the wish to connect, to the end of the answer. */
  readonly timeoutMs: number;
  /** Attempts in all; a 5xx, a timeout and a broken connection are tried again. */
  readonly maxAttempts: number;
  /** Wait before the second attempt; doubled before each one after. */
  readonly retryDelayMs: number;
  readonly maxUrlLength: number;
  /** As for bidders' endpoints. */
  readonly allowPrivateNetworks: boolean;
}

export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  maxWaitingPerHost: 2_000,
  maxInFlightPerHost: 16,
  maxHosts: 512,
  timeoutMs: 1_000,
  maxAttempts: 3,
  retryDelayMs: 250,
  maxUrlLength: 8_192,
  allowPrivateNetworks: false,
};
