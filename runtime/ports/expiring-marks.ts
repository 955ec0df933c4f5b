/**
 * The place of a set of marks. Keys that are counted or placed together share a group; within the group each key has
 * its own marks.
 */
export interface MarkKey {
  readonly group: string;
  readonly key: string;
}

/**
 * Sets of named marks. Each mark ends at its own time. Times are the callers' wall clocks, ms since the Unix epoch;
 * `nowMs` decides which marks have ended, so two callers whose clocks differ by 1 s disagree about marks that end
 * within that second.
 *
 * With Redis all processes share the marks, and the keys of one group lie in one hash slot of a Redis Cluster. Embedded
 * marks survive a restart. Ended marks are removed after a while and then take no memory.
 *
 * Every method rejects with `CountersUnavailable` when the marks cannot be reached or do not answer within the
 * provider's deadline. **The outcome of a write is then unknown**; repeating the write is harmless.
 */
export interface ExpiringMarks {
  /**
   * Sets one mark, atomically: it ends at `untilMs`, or at the end that it already has, whichever is later. A mark that
   * is set twice counts once. The promise resolves when the mark is set: durable when embedded, and in Redis as durable
   * as Redis itself.
   */
  put(at: MarkKey, mark: string, untilMs: number, nowMs: number): Promise<void>;

  /**
   * Does the same as {@link put} if the key then has at most `limit` marks that have not ended; the test and the write
   * are one atomic step. Resolves with false, and writes nothing, when the limit is reached. A mark that is already set
   * is counted already.
   */
  putWithin(at: MarkKey, mark: string, untilMs: number, limit: number, nowMs: number): Promise<boolean>;

  /** Removes one mark, whatever its end. A missing mark changes nothing. */
  remove(at: MarkKey, mark: string): Promise<void>;

  /**
   * Counts the marks of each key that have not ended, in the order of `keys`. All counts are of one instant and cost
   * one round trip.
   */
  count(group: string, keys: readonly string[], nowMs: number): Promise<number[]>;
}
