export interface SumChange {
  readonly key: string;
  /** A whole number; a negative one lowers the sum. */
  readonly amount: number;
  /**
   * The time from which the sum is 0 and may be deleted, ms since the Unix epoch. The latest value of all changes
   * counts.
   */
  readonly expiresAtMs: number;
}

/**
 * Named sums, each of which expires. With Redis all processes share them, and each sum lies in its own hash slot of a
 * Redis Cluster. Embedded sums survive a restart.
 *
 * A failure is reported for each sum: a sum that cannot be reached, or does not answer within the provider's deadline,
 * does not affect the others. Neither method rejects for it.
 */
export interface ExpiringSums {
  /**
   * Adds to each sum, each atomically; one round trip for all. Resolves, once every result is known, with whether each
   * amount was added: durable when embedded, and in Redis as durable as Redis itself. False means that **the outcome is
   * unknown**: the amount may have been added, or may be added later.
   *
   * @throws {RangeError} when an amount is not a safe integer; nothing is added then
   */
  add(changes: readonly SumChange[]): Promise<boolean[]>;

  /**
   * Reads the sums in the order of `keys`: 0 for a missing sum, null for a sum that cannot be read now; one round trip.
   * The result contains every addition that was confirmed before the call. Sums are stored exactly; beyond 2^53 the
   * nearest double is returned.
   */
  read(keys: readonly string[]): Promise<(number | null)[]>;
}
