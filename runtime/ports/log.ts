import type { Position } from './position.ts';

/** An entry as it was read: its place, and what the producer wrote. */
export interface LogEntry {
  readonly position: Position;
  readonly payload: string;
}

/** An entry that must be appended at most once however often it is sent; see {@link MessageLog.appendOnce}. */
export interface IdempotentEntry {
  /** Names the entry within `bucketMs`. */
  readonly id: string;
  /** The hour (ms since the epoch, a multiple of 3,600,000) in which the id was issued: where it is remembered. */
  readonly bucketMs: number;
  /** By the log's clock: at or after this instant the entry is refused. ms since the epoch. */
  readonly expiresAtMs: number;
  readonly payload: string;
  /**
   * Makes the entry a provisional one: it is appended only while no entry of its id was, provisional or final, it does not use the
   * id up, and this note is remembered. Printable ASCII.
   */
  readonly provisional?: string;
  /**
   * Of a final entry: when a provisional one of its id was appended, the note of that one stands in the payload before so many
   * of its last characters, which are ASCII. Without it the payload is appended as it is.
   */
  readonly noteBefore?: number;
}

/** What is appended for a final entry, when a provisional one of its id was appended with this note. */
export function withNote({ payload, noteBefore }: IdempotentEntry, note: string): string {
  if (noteBefore === undefined) return payload;
  const at = payload.length - noteBefore;
  return payload.slice(0, at) + note + payload.slice(at);
}

/** `repeated` is answered only once the first append of that id is itself durable. */
export type AppendOnceOutcome = 'appended' | 'repeated' | 'expired';

/** An entry that was appended once, by what it is remembered by. Ids hold no spaces. */
export type IdempotencyKey = Pick<IdempotentEntry, 'id' | 'bucketMs'>;

/** Something that is told of an entry that was appended once, and that must count once itself. */
export interface IdempotentMark extends IdempotencyKey {
  /** What is told. */
  readonly mark: string;
}

/** `unknown`: no entry of that id was appended, or it is remembered no more; nothing was written. */
export type MarkOutcome = 'marked' | 'repeated' | 'unknown';

/**
 * Producers give a bound, and are refused while the log has room left. Without one an append is what the handling of others has
 * caused: it goes in where memory is short too, for until it is in the log nothing can be trimmed.
 */
export interface AppendOptions {
  /** Refuse with `Overloaded`, appending nothing, when the partition already holds this many entries. */
  readonly maxLength?: number;
}

/** What the log knows of a partition. */
export interface PartitionTail {
  /** The highest position ever given out, `0-0` when none. Never lower after a trim. */
  readonly last: Position;
  /** Entries not yet trimmed. */
  readonly length: number;
  /** How many were ever appended, trimmed ones too. Lower than it was before: the partition was lost and made anew. */
  readonly appended: number;
  /**
   * The log's clock there, ms since the epoch, and not before `last`: no position given out from now on carries an earlier
   * time, unless the clock is set back.
   */
  readonly nowMs: number;
}

/**
 * The message log: P ordered partitions of opaque payloads.
 *
 * Every method rejects with `LogUnavailable` when the log cannot be reached or does not answer within the
 * provider's deadline; nothing is said then about whether the call took effect.
 */
export interface MessageLog {
  /** How many partitions there are; fixed when the log is first used. */
  readonly partitions: number;

  /**
   * Appends all payloads, contiguous and in order, or none. Resolves with their positions when they are durable.
   * Throws `Overloaded` when `maxLength` is reached (nothing appended).
   */
  append(partition: number, payloads: readonly string[], options?: AppendOptions): Promise<Position[]>;

  /**
   * For each entry in order, atomically: refuse when expired; skip when its id was seen in its bucket; else append
   * and mark as seen. Resolves when every outcome is durable. Buckets are forgotten an hour after `expiresAtMs`.
   *
   * A provisional entry comes before the final one of its id, if at all, and once: of one id at most one provisional and after it
   * at most one final entry are appended, and the final one carries the note of the other. To `markOnce` and `remembers` an id
   * with a provisional entry alone is unknown.
   */
  appendOnce(partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]>;

  /**
   * For each mark in order, atomically: set it beside the id of its entry, unless it is there already or the id is not
   * remembered. Resolves when every outcome is durable. A mark is forgotten with its bucket.
   */
  markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]>;

  /** Of each, whether it was appended once and is remembered still. */
  remembers(partition: number, names: readonly IdempotencyKey[]): Promise<boolean[]>;

  /**
   * Entries strictly after the given position of each partition, in order, at most `limit` for each; partitions
   * without any are left out. When there is none at all, waits up to `waitMs` for the first, or until `wake`.
   * Reading takes nothing: entries stay until `LeaseTable.commit` trims them. One waiting read at a time
   * per process; others, with `waitMs` 0, may overlap it. A read that waits leaves out partitions that cannot be asked; one with
   * `waitMs` 0 rejects with `LogUnavailable` then, so that a partition left out has nothing.
   */
  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>>;

  /** Ends the read that is waiting, if any (because other partitions are wanted now). */
  wake(): void;

  tail(partition: number): Promise<PartitionTail>;
}
