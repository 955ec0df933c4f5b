import type { IdempotentEntry } from './log.ts';
import type { Position } from './position.ts';

/** ms after its expiry for which the log remembers the id of an idempotent entry (see `MessageLog.appendOnce`). */
export const REMEMBERED_MS = 3_600_000;
/**
 * ms after its expiry for which the id of an entry that came from a region which did not sell it is remembered: the
 * longest time for which the selling region may be cut off and each of its impressions still be checked.
 */
export const FOREIGN_REMEMBERED_MS = 8 * 86_400_000;

/**
 * To when sources are drained, ms since the epoch, as far as it counts at `nowMs`: what they bring of earlier than 8
 * days ago comes too late to be taken.
 */
export function drainedThroughMs(throughMs: number, nowMs: number): number {
  return Math.max(throughMs, nowMs - FOREIGN_REMEMBERED_MS);
}

/** An entry of another log, with the position that it has there. */
export interface RelayedEntry extends IdempotentEntry {
  readonly from: Position;
  /**
   * Whether the source remembers the id for as long as it may be used there, so that the only other copies are in this
   * log's memory of foreign entries.
   */
  readonly isOwn: boolean;
}

/** Entries of a source that follow each other: none between `after` and the last of them is left out. */
export interface RelayedBatch {
  readonly after: Position;
  readonly entries: readonly RelayedEntry[];
  /**
   * No entry of the source that is not in this log gets a position of an earlier time than this, ms since the epoch.
   */
  readonly throughMs: number;
}

/** What a partition has of one source. */
export interface RelaySource {
  /** `<region>#<identity of the region's log>`; the partition is the one of the same number. */
  readonly source: string;
  /** Exactly the entries of the source up to this position have been taken. */
  readonly position: Position;
  /** See {@link RelayedBatch.throughMs}; 0 before the first batch. */
  readonly throughMs: number;
  /** Why the source was written off; null while it is not. What comes of it since is parked as too late. */
  readonly writtenOff: string | null;
}

/** An entry that was acknowledged by its source and not appended here. */
export interface TooLateEntry {
  readonly source: string;
  readonly from: Position;
  readonly payload: string;
}

/**
 * The part of a message log that takes entries of other logs over, each once. Every method rejects with
 * `LogUnavailable` like those of `MessageLog`; the call may or may not have taken effect then.
 */
export interface RelayedAppends {
  /**
   * The name of this log's data, made at the first call of a new log. Another name: the data were lost and made anew.
   */
  identity(): Promise<string>;

  /**
   * Atomically: when the partition has less of the source than `batch.after`, nothing is changed. Otherwise it skips
   * the entries that it has, and for each other in order does what `MessageLog.appendOnce` does, except that entries
   * do not expire; it then has the source up to the last of the entries. Resolves, when all is durable, with what the
   * partition has of the source now. Rejects with `Overloaded` (nothing was appended) when memory is short.
   *
   * An entry is parked as too late instead where the log cannot know any more whether its id was appended: 1 h after
   * its expiry, or 8 days for the source's own entries. So is each entry of a source that was written off. The note of
   * a provisional entry is remembered for 8 days.
   */
  appendRelayed(partition: number, source: string, batch: RelayedBatch): Promise<Position>;

  /** All sources that the partition ever took a batch of, an empty one too. */
  sources(partition: number): Promise<RelaySource[]>;

  /**
   * Writes a source off, durably and for ever. Repetitions keep the first reason. A source is written off in partition
   * 0 first: edges look there.
   */
  writeOff(partition: number, source: string, why: string): Promise<void>;

  /** The entries that were parked as too late, oldest first, at most `limit`. */
  tooLate(partition: number, limit: number): Promise<TooLateEntry[]>;
}

/** What home knows of a region's log. */
export interface KnownSource {
  /** The name of the log's data that home knows: only into these may be sold. */
  readonly identity: string;
  /** Why home has written the log off, as of the last look; null while it has not. */
  readonly writtenOff: string | null;
}
