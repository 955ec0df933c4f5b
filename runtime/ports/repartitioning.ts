import type { Position } from './position.ts';

/**
 * The partitions, of so many, in which the id of an idempotent entry must be found; see {@link Repartitioning.copyIds}.
 */
export type PlacesOf = (id: string, partitions: number) => Iterable<number>;

/**
 * A stopped log that gets more partitions (decision 0086). Nothing but `settle` changes how the log is used: until it
 * has resolved, the log can be opened with the partitions that it had. Each call may be repeated, also with a higher
 * position or number. Every method rejects with `LogUnavailable` when the log does not answer (outcome unknown).
 */
export interface Repartitioning {
  /** The number of partitions that the log has; null where it has never been used. */
  partitions(): Promise<number | null>;

  /** What uses the log, each in words: processes that have it open, living members, owned partitions. */
  users(): Promise<string[]>;

  /** The partitions with entries above their committed cursors. */
  undrained(): Promise<number[]>;

  /** The sources relayed to this log that are not written off in every partition. */
  openSources(): Promise<string[]>;

  /**
   * The highest position that the partitions below this number ever assigned or committed; `0-0` where there is none.
   */
  highest(partitions: number): Promise<Position>;

  /** The latest of the clocks of the servers that have partitions below this number, ms since the epoch. */
  nowMs(partitions: number): Promise<number>;

  /**
   * For each partition below this number, which must be free and drained: positions assigned from now on are above
   * `position`, and the cursor is at it, as if an entry there had been handled. Sources that were written off are
   * written off in the new partitions as well.
   */
  raise(partitions: number, position: Position): Promise<void>;

  /**
   * Copies the ids that the log remembers, with their notes, marks and expiry, to the partitions where `placesOf` wants
   * them. A final entry is never forgotten for a provisional one. Resolves with the number of ids that were read.
   */
  copyIds(partitions: number, placesOf: PlacesOf): Promise<number>;

  /** Sets the number of partitions, durably. */
  settle(partitions: number): Promise<void>;

  close(): Promise<void>;
}
