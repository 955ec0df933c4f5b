import type { AcquiredPartition, Lease } from '../ports/leases.ts';
import {
  type AppendOnceOutcome,
  type IdempotencyKey,
  type IdempotentEntry,
  type IdempotentMark,
  type LogEntry,
  type MarkOutcome,
  withNote,
} from '../ports/log.ts';
import {
  comparePositions,
  type Position,
  positionOf,
  positionSequence,
  positionTimeMs,
  START,
} from '../ports/position.ts';
import {
  FOREIGN_REMEMBERED_MS,
  REMEMBERED_MS,
  type RelayedBatch,
  type RelayedEntry,
  type RelaySource,
  type TooLateEntry,
} from '../ports/relayed.ts';
import { newerToken, type StoreToken } from '../ports/store-token.ts';

const FORGET_BUCKET_AFTER_MS = 3_600_000;

/** The data of one partition on the log server's disk and in its memory. */
export interface PartitionImage {
  readonly entries: readonly LogEntry[];
  readonly last: Position;
  readonly appended: number;
  readonly cursor: Position;
  readonly token: StoreToken;
  readonly note: string;
}

/** The remembered ids of one hour of issue. */
interface SeenBucket {
  /** The position of the entry of each id, or the last position when a mark was set. */
  readonly ids: Map<string, Position>;
  /** The notes of provisional entries. */
  readonly notes: Map<string, { readonly note: string; readonly position: Position }>;
  forgetAtMs: number;
}

/** What the partition had of a source, with the partition's last position then: it is lost with the entries. */
interface HeldSource {
  readonly position: Position;
  readonly throughMs: number;
  readonly at: Position;
}

/** One partition of the log server. Every method is one atomic step. */
export class PartitionState {
  readonly partition: number;
  entries: LogEntry[] = [];
  last: Position = START;
  /** The number of entries ever appended. */
  appended = 0;
  cursor: Position = START;
  token: StoreToken = '';
  /**
   * The position up to which entries are on disk. Later entries are lost when the server crashes, and no reader sees
   * them.
   */
  synced: Position = START;
  #note = '';
  #epoch = 0;
  #owner = '';
  #expiresAtMs = 0;
  readonly #seen = new Map<number, SeenBucket>();
  /** By source: what was held of it, oldest first. */
  readonly #sources = new Map<string, HeldSource[]>();
  readonly #writtenOff = new Map<string, string>();
  #tooLate: (TooLateEntry & { readonly at: Position })[] = [];

  constructor(partition: number) {
    this.partition = partition;
  }

  /** A full copy, as a replica receives it. */
  copy(): PartitionState {
    const copied = new PartitionState(this.partition);
    copied.entries = [...this.entries];
    copied.last = this.last;
    copied.appended = this.appended;
    copied.cursor = this.cursor;
    copied.token = this.token;
    copied.synced = this.synced;
    copied.#note = this.#note;
    copied.#epoch = this.#epoch;
    copied.#owner = this.#owner;
    copied.#expiresAtMs = this.#expiresAtMs;
    for (const [bucketMs, { ids, notes, forgetAtMs }] of this.#seen) {
      copied.#seen.set(bucketMs, { ids: new Map(ids), notes: new Map(notes), forgetAtMs });
    }
    for (const [source, held] of this.#sources) copied.#sources.set(source, [...held]);
    for (const [source, why] of this.#writtenOff) copied.#writtenOff.set(source, why);
    copied.#tooLate = [...this.#tooLate];
    return copied;
  }

  append(nowMs: number, payload: string): Position {
    const lastMs = positionTimeMs(this.last);
    const position = nowMs > lastMs ? positionOf(nowMs, 0) : positionOf(lastMs, positionSequence(this.last) + 1);
    this.entries.push({ position, payload });
    this.last = position;
    this.appended += 1;
    return position;
  }

  appendOnce(nowMs: number, entry: IdempotentEntry): AppendOnceOutcome {
    for (const [bucketMs, { forgetAtMs }] of this.#seen) if (forgetAtMs <= nowMs) this.#seen.delete(bucketMs);
    const longerMs = entry.isForeign && this.#sources.size > 0 ? FOREIGN_REMEMBERED_MS : 0;
    return nowMs >= entry.expiresAtMs ? 'expired' : this.#appendNew(nowMs, entry, longerMs);
  }

  #appendNew(nowMs: number, entry: IdempotentEntry, longerMs: number): AppendOnceOutcome {
    const bucket = this.#seen.get(entry.bucketMs) ?? { ids: new Map(), notes: new Map(), forgetAtMs: 0 };
    bucket.forgetAtMs = Math.max(bucket.forgetAtMs, entry.expiresAtMs + FORGET_BUCKET_AFTER_MS + longerMs);
    this.#seen.set(entry.bucketMs, bucket);
    if (bucket.ids.has(entry.id)) return 'repeated';
    const noted = bucket.notes.get(entry.id);
    if (entry.provisional === undefined) {
      const payload = noted === undefined ? entry.payload : withNote(entry, noted.note);
      bucket.ids.set(entry.id, this.append(nowMs, payload));
      return 'appended';
    }
    if (noted !== undefined) return 'repeated';
    bucket.notes.set(entry.id, { note: entry.provisional, position: this.append(nowMs, entry.payload) });
    return 'appended';
  }

  /** `isContiguous`, `isOnce`: false to break a law. Returns up to where the partition has the source. */
  appendRelayed(
    nowMs: number,
    source: string,
    { after, entries, throughMs }: RelayedBatch,
    isContiguous = true,
    isOnce = true,
  ): Position {
    const held = this.#sources.get(source) ?? [];
    const { position, throughMs: heldThroughMs } = held.at(-1) ?? { position: START, throughMs: 0 };
    if (isContiguous && comparePositions(after, position) > 0) return position;
    let last = position;
    for (const entry of entries) {
      if (isOnce && comparePositions(entry.from, last) <= 0) continue;
      if (comparePositions(entry.from, last) > 0) last = entry.from;
      this.#takeRelayed(nowMs, source, entry, isOnce);
    }
    const through = Math.max(Math.floor(throughMs), heldThroughMs);
    held.push({ position: last, throughMs: through, at: this.last });
    this.#sources.set(source, held);
    return last;
  }

  #takeRelayed(nowMs: number, source: string, entry: RelayedEntry, checksIds: boolean): void {
    const { expiresAtMs, isOwn, from, payload } = entry;
    const forgetAtMs = expiresAtMs + (isOwn ? FOREIGN_REMEMBERED_MS : REMEMBERED_MS);
    if (this.#writtenOff.has(source) || forgetAtMs <= nowMs) {
      this.#tooLate.push({ source, from, payload, at: this.last });
      return;
    }
    if (checksIds) this.#appendNew(nowMs, entry, isOwn ? 0 : FOREIGN_REMEMBERED_MS);
    else this.append(nowMs, payload);
  }

  sources(): RelaySource[] {
    return [...this.#sources].map(([source, held]) => {
      const { position, throughMs } = held.at(-1)!;
      return { source, position, throughMs, writtenOff: this.#writtenOff.get(source) ?? null };
    });
  }

  writeOff(source: string, why: string): void {
    if (!this.#writtenOff.has(source)) this.#writtenOff.set(source, why);
  }

  tooLate(limit: number): TooLateEntry[] {
    return this.#tooLate.slice(0, limit).map(({ source, from, payload }) => ({ source, from, payload }));
  }

  /** Sets a mark, which is stored among the ids and lost with them when it was not synced. */
  markOnce({ id, bucketMs, mark }: IdempotentMark): MarkOutcome {
    if (!this.remembers({ id, bucketMs })) return 'unknown';
    const { ids } = this.#seen.get(bucketMs)!;
    if (ids.has(`${id} ${mark}`)) return 'repeated';
    ids.set(`${id} ${mark}`, this.last);
    return 'marked';
  }

  remembers({ id, bucketMs }: IdempotencyKey): boolean {
    return this.#seen.get(bucketMs)?.ids.has(id) ?? false;
  }

  sync(position: Position): void {
    if (comparePositions(position, this.synced) > 0) this.synced = position;
  }

  /** The entries that a reader may see. */
  after(position: Position, limit: number): LogEntry[] {
    const found: LogEntry[] = [];
    for (const entry of this.entries) {
      if (found.length >= limit || comparePositions(entry.position, this.synced) > 0) break;
      if (comparePositions(entry.position, position) > 0) found.push(entry);
    }
    return found;
  }

  /** Removes entries that were read; used only to break a law. */
  take(entries: readonly LogEntry[]): void {
    this.entries = this.entries.filter((entry) => !entries.includes(entry));
  }

  /** The present or last owner of the lease; '' once it was released. */
  get owner(): string {
    return this.#owner;
  }

  acquire(nowMs: number, owner: string, ttlMs: number): AcquiredPartition | null {
    if (this.#owner !== '' && this.#owner !== owner && this.#expiresAtMs > nowMs) return null;
    this.#owner = owner;
    this.#epoch += 1;
    this.#expiresAtMs = nowMs + ttlMs;
    const lease = { partition: this.partition, owner, epoch: this.#epoch };
    return { lease, cursor: this.cursor, last: this.last, note: this.#note };
  }

  holds(lease: Lease): boolean {
    return this.#owner === lease.owner && this.#epoch === lease.epoch;
  }

  renew(nowMs: number, lease: Lease, ttlMs: number): boolean {
    if (!this.holds(lease)) return false;
    this.#expiresAtMs = nowMs + ttlMs;
    return true;
  }

  release(lease: Lease): void {
    if (this.holds(lease)) this.#owner = '';
  }

  /** Moves the cursor, never back, and returns the trimmed entries. */
  commit(cursor: Position, token: StoreToken = ''): LogEntry[] {
    this.token = newerToken(this.token, token);
    if (comparePositions(cursor, this.cursor) > 0) this.cursor = cursor;
    const kept = this.entries.findIndex(({ position }) => comparePositions(position, this.cursor) > 0);
    return this.entries.splice(0, kept < 0 ? this.entries.length : kept);
  }

  note(text: string): void {
    this.#note = text;
  }

  raise(position: Position): void {
    if (comparePositions(position, this.last) > 0) {
      this.last = position;
      this.sync(position);
    }
    if (comparePositions(this.cursor, this.last) > 0) this.cursor = this.last;
  }

  /** Drops what had not reached the disk when the server lost power, and returns it. */
  dropUnsynced(): LogEntry[] {
    const kept = this.entries.findIndex(({ position }) => comparePositions(position, this.synced) > 0);
    const dropped = kept >= 0 ? this.entries.splice(kept) : [];
    this.appended -= dropped.length;
    this.last = this.synced;
    this.#forgetAfter(this.synced);
    return dropped;
  }

  /** Forgets the ids and notes of lost entries. */
  #forgetAfter(last: Position): void {
    for (const [source, held] of this.#sources) {
      const left = held.filter(({ at }) => comparePositions(at, last) <= 0);
      if (left.length > 0) this.#sources.set(source, left);
      else this.#sources.delete(source);
    }
    this.#tooLate = this.#tooLate.filter(({ at }) => comparePositions(at, last) <= 0);
    for (const { ids, notes } of this.#seen.values()) {
      for (const [id, position] of ids) if (comparePositions(position, last) > 0) ids.delete(id);
      for (const [id, { position }] of notes) if (comparePositions(position, last) > 0) notes.delete(id);
    }
  }

  image(): PartitionImage {
    const { last, appended, cursor, token } = this;
    return { entries: [...this.entries], last, appended, cursor, token, note: this.#note };
  }

  /** Destroys the stream; the data of its owner stay. Returns the lost entries. */
  wipe(): LogEntry[] {
    const { cursor, token } = this;
    const note = this.#note;
    return this.restore({ entries: [], last: START, appended: 0, cursor, token, note });
  }

  /** Restores an older image, or nothing. Epochs continue. Returns the lost entries. */
  restore(image: PartitionImage | null): LogEntry[] {
    // Entries are compared with their payload, because a log that was raised to the same mark twice has assigned the
    // same positions to other entries.
    const named = ({ position, payload }: LogEntry) => `${position} ${payload}`;
    const kept = new Set(image?.entries.map(named));
    const lost = this.entries.filter((entry) => !kept.has(named(entry)));
    this.entries = [...(image?.entries ?? [])];
    this.last = image?.last ?? START;
    this.synced = this.last;
    this.appended = image?.appended ?? 0;
    this.cursor = image?.cursor ?? START;
    this.token = image?.token ?? '';
    this.#note = image?.note ?? '';
    this.#forgetAfter(this.last);
    return lost;
  }
}
