import type { Position } from './position.ts';

/** An entry that was read: its position, and the payload that the producer wrote. */
export interface LogEntry {
  readonly position: Position;
  readonly payload: string;
}

/** An entry that must be appended at most once however often it is sent; see {@link MessageLog.appendOnce}. */
export interface IdempotentEntry {
  /** Identifies the entry within `bucketMs`. */
  readonly id: string;
  /**
   * The hour (ms since the epoch, a multiple of 3,600,000) in which the id was issued. The log remembers the id in the
   * bucket of this hour.
   */
  readonly bucketMs: number;
  /** The entry is refused from this instant of the log's clock on, ms since the epoch. */
  readonly expiresAtMs: number;
  /**
   * When the entry was to expire, if it is let in later than that: another log counts from then how long it remembers
   * the id.
   */
  readonly firstExpiresAtMs?: number;
  readonly payload: string;
  /**
   * Makes the entry a provisional one: it is appended only if no entry of its id was appended, provisional or final. It
   * does not use up the id, and the log remembers this note. Printable ASCII.
   */
  readonly provisional?: string;
  /**
   * For a final entry: if a provisional entry of its id was appended, that entry's note is inserted into the payload
   * before this many of its last characters, which must be ASCII. Without this field the payload is appended unchanged.
   */
  readonly noteBefore?: number;
  /**
   * The entry is one that a region with a log of its own may bring too (see `RelayedAppends`): where the partition has
   * such sources, the id of a final entry, and the note of a provisional one, are remembered for 8 days.
   */
  readonly isForeign?: true;
}

/** The payload of a final entry whose id had a provisional entry with this note. */
export function withNote({ payload, noteBefore }: IdempotentEntry, note: string): string {
  if (noteBefore === undefined) return payload;
  const at = payload.length - noteBefore;
  return payload.slice(0, at) + note + payload.slice(at);
}

/** The outcome of one idempotent append. `repeated` is returned only once the first append of that id is durable. */
export type AppendOnceOutcome = 'appended' | 'repeated' | 'expired';

/** The key by which an idempotent entry is remembered. Ids contain no white space. */
export type IdempotencyKey = Pick<IdempotentEntry, 'id' | 'bucketMs'>;

/** A mark on an idempotent entry, e.g. an event that must count once for that entry. */
export interface IdempotentMark extends IdempotencyKey {
  /** The name of the mark. */
  readonly mark: string;
}

/**
 * The outcome of one mark. `unknown`: no entry of that id was appended, or the log has forgotten it; nothing was
 * written.
 */
export type MarkOutcome = 'marked' | 'repeated' | 'unknown';

/**
 * The bound of an append. Producers pass a bound, so that they are refused while the log still has room. Appends
 * without one are caused by handling other messages: they are accepted even when memory is short, because the log
 * cannot be trimmed until they are in it.
 */
export interface AppendOptions {
  /**
   * The append is refused with `Overloaded`, and nothing is appended, when the partition already holds this many
   * entries.
   */
  readonly maxLength?: number;
}

/** The end of a partition. */
export interface PartitionTail {
  /** The highest position that was ever assigned, `0-0` when there is none. It is never lower after a trim. */
  readonly last: Position;
  /** The number of entries that are not trimmed. */
  readonly length: number;
  /**
   * The number of entries ever appended, including trimmed ones. A value lower than before means that the partition was
   * lost and recreated.
   */
  readonly appended: number;
  /**
   * The log's clock at this partition, ms since the epoch, not before `last`. No position assigned from now on has an
   * earlier time, unless the clock is set back.
   */
  readonly nowMs: number;
}

/**
 * The message log: P ordered partitions of opaque payloads.
 *
 * Every method rejects with `LogUnavailable` when the log cannot be reached or does not answer within the provider's
 * deadline. The call may or may not have taken effect then.
 */
export interface MessageLog {
  /** The number of partitions, fixed when the log is first used. */
  readonly partitions: number;

  /**
   * Appends all payloads, contiguous and in order, or none. Resolves with their positions when they are durable.
   * Rejects with `Overloaded` when `maxLength` is reached (nothing was appended).
   */
  append(partition: number, payloads: readonly string[], options?: AppendOptions): Promise<Position[]>;

  /**
   * For each entry in order, atomically: refuses it when it is expired; skips it when its bucket has its id; otherwise
   * appends it and remembers the id. Resolves when every outcome is durable. A bucket is forgotten one hour after
   * `expiresAtMs`.
   *
   * A provisional entry must come before the final entry of its id. Per id at most one provisional entry and after it
   * at most one final entry are appended, and the final entry carries the note of the provisional one. For `markOnce`
   * and `remembers` an id with only a provisional entry is unknown.
   *
   * `ofData`: the name of the data that it appends to (`RelayedAppends.identity`). Where they have another name, or
   * none yet, it appends nothing and rejects with `LogUnavailable`; not so in a Redis Cluster, whose partitions do not
   * know it.
   */
  appendOnce(partition: number, entries: readonly IdempotentEntry[], ofData?: string): Promise<AppendOnceOutcome[]>;

  /**
   * For each mark in order, atomically: sets it beside the id of its entry, unless it is set already or the id is not
   * remembered. Resolves when every outcome is durable. A mark is forgotten with its bucket.
   */
  markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]>;

  /** Whether each key's entry was appended and is still remembered. */
  remembers(partition: number, names: readonly IdempotencyKey[]): Promise<boolean[]>;

  /**
   * Reads the entries strictly after the given position of each partition, in order, at most `limit` per partition.
   * Partitions without new entries are left out. When no partition has any, the call waits up to `waitMs` for the first
   * entry, or until `wake`. Reading removes nothing: entries stay until `LeaseTable.commit` trims them. A process may
   * have one waiting read at a time; reads with `waitMs` 0 may overlap it. A waiting read leaves out partitions that
   * cannot be reached. A read with `waitMs` 0 rejects with `LogUnavailable` for them, so a partition that it leaves out
   * has no new entries.
   */
  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>>;

  /** Ends the waiting read, if any, because the caller now wants other partitions. */
  wake(): void;

  tail(partition: number): Promise<PartitionTail>;
}
