/** The consumption of a key in its current window. */
export interface RateCount {
  /** The points consumed in this window, including this call. */
  readonly consumed: number;
  /** When the window ends and the count is 0 again: wall clock, ms since the Unix epoch. */
  readonly resetAtMs: number;
}

/**
 * Counts calls by key in windows of a fixed length: the first call of a key opens its window, which ends `windowMs`
 * later; the next call after that opens another. The counter refuses nothing: the caller knows the limit.
 *
 * With Redis, all processes count together. While Redis cannot be reached, each process counts in its own memory, from
 * 0: no call is refused because a counter is unavailable, and meanwhile a limit holds per process. Counts do not
 * survive a loss of Redis or a restart of an embedded exchange.
 */
export interface RateCounters {
  /**
   * Adds `points` to the count of `key` and resolves with the sum in one atomic step, so concurrent calls each see a
   * different sum. A call with 0 points reads the count, and opens a window like any call. Never rejects.
   *
   * @param points a whole number, 0 or more
   * @param windowMs whole seconds; applies to the window that this call opens, not to an open one
   */
  consume(key: string, points: number, windowMs: number): Promise<RateCount>;
  close(): Promise<void>;
}
