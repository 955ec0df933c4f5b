/** One change of one actor's projection. Numbers have no gaps. */
export interface CatalogueEntry {
  readonly number: number;
  readonly payload: string;
}

/**
 * The ordered stream of projection changes that all replicas follow. It is bounded: old entries are dropped, and a
 * reader that fell behind sees a gap in the numbers and takes a new snapshot. Every method rejects with
 * `LogUnavailable`.
 */
export interface CatalogueLog {
  /** Appends all payloads or none. They are durable when the promise resolves. */
  publish(payloads: readonly string[]): Promise<void>;
  /** The number of the newest entry, 0 when none was ever written. */
  tail(): Promise<number>;
  /**
   * Reads the entries above `after`, oldest first, and waits up to `waitMs` for the first one. When entries right above
   * `after` were dropped, the first entry returned has a number above `after + 1`. When the log was recreated and its
   * newest number is at or below `after`, the call returns that newest entry. Several followers may wait at once.
   */
  read(after: number, limit: number, waitMs: number): Promise<CatalogueEntry[]>;
}
