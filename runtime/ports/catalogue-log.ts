/** One change of one actor's view, numbered without holes. */
export interface CatalogueEntry {
  readonly number: number;
  readonly payload: string;
}

/**
 * The one ordered stream of view changes that replicas follow. Bounded: old entries are dropped (a reader that fell
 * behind sees a hole in the numbers and takes a new snapshot). Rejects with `LogUnavailable`.
 */
export interface CatalogueLog {
  /** Appends all or none, durable when resolved. */
  publish(payloads: readonly string[]): Promise<void>;
  /** The number of the newest entry, 0 when none was ever written. */
  tail(): Promise<number>;
  /**
   * Entries above `after`, oldest first; waits up to `waitMs` for the first. When entries right above `after` were
   * dropped, the first answered has a number above `after + 1`. Answers an entry with a number at or below `after`
   * (the newest one) when the log was recreated and stands behind it. Several followers may wait at once.
   */
  read(after: number, limit: number, waitMs: number): Promise<CatalogueEntry[]>;
}
