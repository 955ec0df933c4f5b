/** What a key has consumed in its window. */
export interface RateCount {
  /** In this window, this call included. */
  readonly consumed: number;
  /** When the window ends and the count is 0 again: wall clock, ms since the Unix epoch. */
  readonly resetAtMs: number;
}

/**
 * Counts calls by key, in windows of a fixed length: a key's first call opens its window, which ends `windowMs` later,
 * whatever came in between; the next call after that opens another. It counts and refuses nothing: the caller knows
 * the limit.
 *
 * Where there is Redis, all processes count together. While Redis cannot be reached, each process goes on counting in
 * its own memory, from 0: nothing is refused because a counter is away, and for so long a limit holds for each process
 * alone. Counts survive no loss of Redis and no restart of an embedded exchange.
 */
export interface RateCounters {
  /**
   * Adds `points` to what `key` has consumed and answers the sum: one atomic step, so that of any number of calls at
   * the same time each sees another sum. 0 points look, and open a window like any call. Never rejects.
   *
   * @param points a whole number, 0 or more
   * @param windowMs whole seconds; holds for the window that the call opens, and for none that is open
   */
  consume(key: string, points: number, windowMs: number): Promise<RateCount>;
  close(): Promise<void>;
}
