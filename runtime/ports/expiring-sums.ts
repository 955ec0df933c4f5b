export interface SumChange {
  readonly key: string;
  /** A whole number; negative ones lower the sum. */
  readonly amount: number;
  /** From when the sum counts as 0 and is forgotten, ms since the Unix epoch: the latest that any change has said. */
  readonly expiresAtMs: number;
}

/**
 * Sums by name, each of which is forgotten at its end. Where there is Redis all processes share them, each in a slot of its own of
 * a Redis Cluster; embedded, they survive a restart.
 *
 * What cannot be reached, or does not answer within the provider's deadline, is told sum by sum, so that a part that is away costs
 * no other part anything. Neither method rejects for it.
 */
export interface ExpiringSums {
  /**
   * Adds to each sum, each atomically; one round trip for all. Resolves, when it is known of all, with whether each was added:
   * durable embedded; in Redis as durable as Redis itself is. False: **the outcome is unknown**, it may have been added or may yet.
   *
   * @throws {RangeError} when an amount is no safe integer; nothing is added then
   */
  add(changes: readonly SumChange[]): Promise<boolean[]>;

  /**
   * The sums, 0 where there is none, null where it cannot be known now, in the order of `keys`; one round trip. Holds all that was
   * known to be added before the call. A sum is kept exactly; beyond 2^53 it is read as the nearest double.
   */
  read(keys: readonly string[]): Promise<(number | null)[]>;
}
