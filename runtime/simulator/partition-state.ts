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
import { RELAYED_LAWS, type RelayedLaws } from './relayed-laws.ts';
import { SeenIds } from './seen-ids.ts';

/** The data of one partition on the log server's disk and in its memory. */
export interface PartitionImage {
  readonly entries: readonly LogEntry[];
  readonly last: Position;
  readonly appended: number;
  readonly cursor: Position;
  readonly token: StoreToken;
  readonly note: string;
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
  readonly #seen = new Map<number, SeenIds>();
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
    for (const [bucketMs, bucket] of this.#seen) copied.#seen.set(bucketMs, bucket.copy());
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
    this.#forgetHours(nowMs);
    const { id, expiresAtMs, isForeign } = entry;
    if (nowMs >= expiresAtMs) return 'expired';
    const { ids, notes, foreign } = this.#bucket(entry.bucketMs);
    if (ids.get(id, nowMs) !== undefined) return 'repeated';
    const forgetAtMs = expiresAtMs + REMEMBERED_MS;
    const isBrought = isForeign && this.#sources.size > 0;
    const noted = notes.get(id, nowMs);
    if (entry.provisional !== undefined) {
      if (noted !== undefined) return 'repeated';
      const note = { note: entry.provisional, position: this.append(nowMs, entry.payload) };
      notes.set(id, note, isBrought ? expiresAtMs + FOREIGN_REMEMBERED_MS : forgetAtMs);
      return 'appended';
    }
    const position = this.append(nowMs, noted === undefined ? entry.payload : withNote(entry, noted.note));
    ids.set(id, { position }, forgetAtMs);
    if (noted !== undefined) notes.keepUntil(forgetAtMs);
    if (isBrought) foreign.set(id, { position }, expiresAtMs + FOREIGN_REMEMBERED_MS);
    return 'appended';
  }

  /** Returns up to where the partition has the source. */
  appendRelayed(
    nowMs: number,
    source: string,
    { after, entries, throughMs }: RelayedBatch,
    laws: RelayedLaws = RELAYED_LAWS,
  ): Position {
    const held = this.#sources.get(source) ?? [];
    const { position, throughMs: heldThroughMs } = held.at(-1) ?? { position: START, throughMs: 0 };
    if (laws.withoutGaps && comparePositions(after, position) > 0) return position;
    this.#forgetHours(nowMs);
    let last = position;
    const tooLate: TooLateEntry[] = [];
    for (const entry of entries) {
      if (laws.once && comparePositions(entry.from, last) <= 0) continue;
      if (comparePositions(entry.from, last) > 0) last = entry.from;
      if (this.#isTooLate(nowMs, source, entry, laws))
        tooLate.push({ source, from: entry.from, payload: entry.payload });
      else if (laws.once) this.#appendRelayedOnce(nowMs, entry);
      else this.append(nowMs, entry.payload);
    }
    const at = laws.positionWithEntries ? this.last : START;
    this.#tooLate.push(...tooLate.map((entry) => ({ ...entry, at })));
    held.push({ position: last, throughMs: Math.max(Math.floor(throughMs), heldThroughMs), at });
    this.#sources.set(source, held);
    return last;
  }

  #isTooLate(nowMs: number, source: string, { expiresAtMs, isOwn }: RelayedEntry, laws: RelayedLaws): boolean {
    if (laws.parksWrittenOff && this.#writtenOff.has(source)) return true;
    return expiresAtMs + (isOwn ? FOREIGN_REMEMBERED_MS : REMEMBERED_MS) <= nowMs;
  }

  #appendRelayedOnce(nowMs: number, entry: RelayedEntry): void {
    const { id, expiresAtMs, isOwn, payload, provisional } = entry;
    const { ids, notes, foreign } = this.#bucket(entry.bucketMs);
    if (ids.get(id, nowMs) !== undefined || foreign.get(id, nowMs) !== undefined) return;
    const forgetAtMs = expiresAtMs + REMEMBERED_MS;
    const noted = notes.get(id, nowMs);
    if (provisional !== undefined) {
      if (noted !== undefined) return;
      const position = this.append(nowMs, payload);
      notes.set(id, { note: provisional, position }, expiresAtMs + FOREIGN_REMEMBERED_MS);
      return;
    }
    const position = this.append(nowMs, noted === undefined ? payload : withNote(entry, noted.note));
    if (forgetAtMs > nowMs) {
      ids.set(id, { position }, forgetAtMs);
      if (noted !== undefined) notes.keepUntil(forgetAtMs);
    }
    if (!isOwn) foreign.set(id, { position }, expiresAtMs + FOREIGN_REMEMBERED_MS);
  }

  #bucket(bucketMs: number): SeenIds {
    let bucket = this.#seen.get(bucketMs);
    if (bucket === undefined) {
      bucket = new SeenIds();
      this.#seen.set(bucketMs, bucket);
    }
    return bucket;
  }

  #forgetHours(nowMs: number): void {
    for (const [bucketMs, { memories }] of this.#seen) {
      if (memories.every(({ forgetAtMs }) => forgetAtMs <= nowMs)) this.#seen.delete(bucketMs);
    }
  }

  /** The sources as of a position of this partition: at its end, if no other is given. */
  sources(asOf: Position = this.last): RelaySource[] {
    return [...this.#sources].flatMap(([source, all]) => {
      const held = all.findLast(({ at }) => comparePositions(at, asOf) <= 0);
      if (held === undefined) return [];
      const { position, throughMs } = held;
      return [{ source, position, throughMs, writtenOff: this.#writtenOff.get(source) ?? null }];
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
    if (ids.kept.has(`${id} ${mark}`)) return 'repeated';
    ids.kept.set(`${id} ${mark}`, { position: this.last });
    return 'marked';
  }

  remembers({ id, bucketMs }: IdempotencyKey): boolean {
    return this.#seen.get(bucketMs)?.ids.kept.has(id) ?? false;
  }

  sync(position: Position): void {
    if (comparePositions(position, this.synced) > 0) this.synced = position;
  }

  /** The entries that a reader may see. */
  after(position: Position, limit: number): LogEntry[] {
    const from = this.#indexAfter(position);
    let to = from;
    while (to < this.entries.length && to - from < limit) {
      if (comparePositions(this.entries[to]!.position, this.synced) > 0) break;
      to += 1;
    }
    return this.entries.slice(from, to);
  }

  /** The index of the first entry behind the position; the number of entries where there is none. */
  #indexAfter(position: Position): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comparePositions(this.entries[middle]!.position, position) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
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
    return this.entries.splice(0, this.#indexAfter(this.cursor));
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
    const dropped = this.entries.splice(this.#indexAfter(this.synced));
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
    for (const { memories } of this.#seen.values()) for (const memory of memories) memory.forgetAfter(last);
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
