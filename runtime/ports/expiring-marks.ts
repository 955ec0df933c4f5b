/** Where marks lie. What is counted or placed together shares the group; within it each key has marks of its own. */
export interface MarkKey {
  readonly group: string;
  readonly key: string;
}

/**
 * Sets of named marks, each of which ends at a time of its own. Times are the callers' wall clocks, ms since the Unix epoch;
 * `nowMs` says which marks have ended, so callers whose clocks differ by a second count marks that end in that second otherwise.
 *
 * Where there is Redis all processes share the marks, and keys of one group lie in one slot of a Redis Cluster. Embedded, they
 * survive a restart. Ended marks are removed in time and take no room.
 *
 * Every method rejects with `CountersUnavailable` when the marks cannot be reached or do not answer within the provider's
 * deadline. **A write's outcome is then unknown**; writing it again is harmless.
 */
export interface ExpiringMarks {
  /**
   * Sets one mark, atomically: it ends at `untilMs`, or at the later end that it had. A mark set twice counts once. Resolves
   * when it is set: durable embedded; in Redis as durable as Redis itself is.
   */
  put(at: MarkKey, mark: string, untilMs: number, nowMs: number): Promise<void>;

  /**
   * {@link put}, if the key then has no more than `limit` marks that have not ended: test and write are one atomic step. False,
   * and nothing written, when there is no room. A mark that is there already has its room.
   */
  putWithin(at: MarkKey, mark: string, untilMs: number, limit: number, nowMs: number): Promise<boolean>;

  /** Takes one mark away, whatever its end; without it nothing changes. */
  remove(at: MarkKey, mark: string): Promise<void>;

  /** How many marks of each key have not ended, in the order of `keys`; one round trip. All of one instant. */
  count(group: string, keys: readonly string[], nowMs: number): Promise<number[]>;
}
