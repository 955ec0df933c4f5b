import type { LogEntry } from '../../ports/log.ts';
import {
  comparePositions,
  type Position,
  positionOf,
  positionSequence,
  positionTimeMs,
  START,
} from '../../ports/position.ts';
import { newerToken, type StoreToken } from '../../ports/store-token.ts';
import { countRun, decodeRun, type EntryRun, encodeRun, RUN_MAX_CHARACTERS, RUN_MAX_ENTRIES } from './entry-run.ts';
import type { Environment } from './environment.ts';

/**
 * The stored state of a partition besides its entries. `trimmed` is the number of entries that were appended and
 * trimmed.
 */
/** Folders of releases without tokens or sources have none. */
type PartitionRecord = [
  last: Position,
  cursor: Position,
  epoch: number,
  owner: string,
  note: string,
  trimmed: number,
  token?: StoreToken,
  sources?: Readonly<Record<string, RelayedSource>>,
];

/** What the partition has of a source that is relayed to it. */
export type RelayedSource = readonly [position: Position, throughMs: number, writtenOff: string | null];

const EMPTY_RECORD: PartitionRecord = [START, START, 0, '', '', 0];

interface StagedRun {
  readonly ms: number;
  readonly sequence: number;
  readonly payloads: string[];
  characters: number;
}

/**
 * One partition of the embedded log. Everything but reading happens inside a commit group, step by step; entries of a
 * group become readable when that group is durable, so nothing is ever handled that a crash could take back.
 */
export class Partition {
  readonly number: number;
  readonly #environment: Environment;
  readonly #memoryCharacters: number;

  #lastMs = 0;
  #lastSequence = 0;
  cursor: Position = START;
  /** The token of the store that has the states of the cursor, if it is another store. */
  token: StoreToken = '';
  epoch = 0;
  owner = '';
  note = '';
  readonly sources = new Map<string, RelayedSource>();
  /** When the lease ends, monotonic ms. A lease ends with its process, because no other process can have the folder. */
  leaseEndsMs = Number.NEGATIVE_INFINITY;

  /** Runs on disk, oldest first; the first may begin at or below the cursor. */
  #runs: EntryRun[] = [];
  #length = 0;
  #trimmed = 0;

  /** The newest durable entries: all entries above `#forgotten`. */
  #recent: LogEntry[] = [];
  #recentFrom = 0;
  #recentCharacters = 0;
  #forgotten: Position = START;

  /** The entries that the current group appended. */
  #staged: LogEntry[] = [];
  #stagedRuns: StagedRun[] = [];
  #changed = false;

  constructor(number: number, environment: Environment, memoryCharacters: number) {
    this.number = number;
    this.#environment = environment;
    this.#memoryCharacters = memoryCharacters;
    this.load();
  }

  /** Loads everything from disk. Positions that were assigned once stay assigned. */
  load(): void {
    const { entries, partitions } = this.#environment;
    const kept = partitions.get(this.number);
    const [last, cursor, epoch, owner, note, trimmed, token = '', sources = {}] = kept
      ? (JSON.parse(kept) as PartitionRecord)
      : EMPTY_RECORD;
    this.#reach(last);
    this.cursor = cursor;
    this.token = token;
    this.epoch = epoch;
    this.owner = owner;
    this.note = note;
    this.sources.clear();
    for (const [source, relayed] of Object.entries(sources)) this.sources.set(source, relayed);
    this.#runs = [];
    this.#length = 0;
    this.#trimmed = trimmed;
    for (const { key, value } of entries.getRange({ start: [this.number, 0, 0], end: [this.number + 1, 0, 0] })) {
      const run = { ms: key[1], sequence: key[2], count: countRun(value) };
      this.#runs.push(run);
      this.#length += run.count;
    }
    const newest = this.#runs.at(-1);
    if (newest) this.#reach(lastOf(newest));
    if (this.#runs[0]) this.#length -= coveredBy(this.#runs[0], cursor);
    this.#recent = [];
    this.#recentFrom = 0;
    this.#recentCharacters = 0;
    this.#forgotten = newest ? lastOf(newest) : START;
    this.#staged = [];
    this.#stagedRuns = [];
    this.#changed = false;
  }

  /** The highest position that was ever assigned. */
  get last(): Position {
    return positionOf(this.#lastMs, this.#lastSequence);
  }

  /** The number of entries above the cursor, including those of the current group. */
  get length(): number {
    return this.#length + this.#staged.length;
  }

  /** The number of entries ever appended, including those of the current group. */
  get appended(): number {
    return this.#runs.reduce((sum, { count }) => sum + count, this.#trimmed + this.#staged.length);
  }

  /** Whether there is a durable entry above `after`. */
  holdsAbove(after: Position): boolean {
    const newest = this.#runs.at(-1);
    return newest !== undefined && comparePositions(lastOf(newest), this.#above(after)) > 0;
  }

  /** In a commit group: appends a payload. Its position is never lower than before, whatever the wall clock does. */
  append(nowMs: number, payload: string): Position {
    if (nowMs > this.#lastMs) {
      this.#lastMs = nowMs;
      this.#lastSequence = 0;
    } else {
      this.#lastSequence += 1;
    }
    const position = this.last;
    this.#staged.push({ position, payload });
    let run = this.#stagedRuns.at(-1);
    if (!run || !this.#continues(run)) {
      run = { ms: this.#lastMs, sequence: this.#lastSequence, payloads: [], characters: 0 };
      this.#stagedRuns.push(run);
    }
    run.payloads.push(payload);
    run.characters += payload.length;
    return position;
  }

  /** In a commit group: must be called when the lease, the note or `last` changed and must be stored. */
  touch(): void {
    this.#changed = true;
  }

  /** In a commit group. */
  keepToken(token: StoreToken): void {
    const newer = newerToken(this.token, token);
    if (newer === this.token) return;
    this.token = newer;
    this.#changed = true;
  }

  /** In a commit group: moves the cursor, never back, and drops every run that it covers. */
  commit(cursor: Position): void {
    if (comparePositions(cursor, this.cursor) <= 0) return;
    let trimmed = 0;
    for (const run of this.#runs) {
      const covered = coveredBy(run, cursor);
      this.#length -= covered - coveredBy(run, this.cursor);
      if (covered < run.count) break;
      this.#environment.entries.remove([this.number, run.ms, run.sequence]);
      this.#trimmed += run.count;
      trimmed += 1;
    }
    if (trimmed > 0) this.#runs.splice(0, trimmed);
    this.cursor = cursor;
    this.#changed = true;
    while (
      this.#recentFrom < this.#recent.length &&
      comparePositions(this.#recent[this.#recentFrom]!.position, cursor) <= 0
    ) {
      this.#dropOldest();
    }
    this.#compact();
  }

  /** In a commit group. */
  raise(position: Position): void {
    this.#reach(position);
    if (comparePositions(this.cursor, this.last) > 0) this.cursor = this.last;
    this.#changed = true;
  }

  /**
   * In a commit group, of a partition without entries above its cursor: later positions are above `position`, and the
   * cursor is at the last one. A partition that was never used is then like one whose only entry was handled.
   */
  raiseDrained(position: Position): void {
    this.#reach(position);
    this.cursor = this.last;
    if (this.appended === 0) this.#trimmed = 1;
    this.#changed = true;
  }

  /** Called when the group is complete: puts what it changed here. */
  seal(): void {
    if (this.#changed) {
      const kept: PartitionRecord = [
        this.last,
        this.cursor,
        this.epoch,
        this.owner,
        this.note,
        this.#trimmed,
        this.token,
      ];
      if (this.sources.size > 0) kept[7] = Object.fromEntries(this.sources);
      this.#environment.partitions.put(this.number, JSON.stringify(kept));
      this.#changed = false;
    }
    for (const { ms, sequence, payloads } of this.#stagedRuns) {
      this.#environment.entries.put([this.number, ms, sequence], encodeRun(payloads));
    }
  }

  /** Called when the group is on disk: its entries can be read. Returns whether there are any. */
  durable(): boolean {
    if (this.#staged.length === 0) return false;
    for (const { ms, sequence, payloads } of this.#stagedRuns) {
      const run = { ms, sequence, count: payloads.length };
      this.#runs.push(run);
      this.#length += run.count - coveredBy(run, this.cursor);
    }
    for (const entry of this.#staged) {
      this.#recent.push(entry);
      this.#recentCharacters += entry.payload.length;
    }
    this.#staged = [];
    this.#stagedRuns = [];
    while (this.#recentCharacters > this.#memoryCharacters) this.#dropOldest();
    this.#compact();
    return true;
  }

  /** Durable entries above `after` and the cursor, oldest first. */
  read(after: Position, limit: number): LogEntry[] {
    const above = this.#above(after);
    if (!this.holdsAbove(above)) return [];
    if (comparePositions(above, this.#forgotten) < 0) return this.#readDisk(above, limit);
    let low = this.#recentFrom;
    let high = this.#recent.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(this.#recent[middle]!.position, above) > 0) high = middle;
      else low = middle + 1;
    }
    return this.#recent.slice(low, low + limit);
  }

  /** Whether the entry at `last` can be the next of a run. */
  #continues({ ms, sequence, payloads, characters }: StagedRun): boolean {
    const next = ms === this.#lastMs && sequence + payloads.length === this.#lastSequence;
    return next && payloads.length < RUN_MAX_ENTRIES && characters < RUN_MAX_CHARACTERS;
  }

  #readDisk(above: Position, limit: number): LogEntry[] {
    const found: LogEntry[] = [];
    for (let at = this.#firstRunAbove(above); at < this.#runs.length && found.length < limit; at++) {
      const run = this.#runs[at]!;
      const record = this.#environment.entries.get([this.number, run.ms, run.sequence]);
      if (record === undefined) throw new Error(`partition ${this.number} lacks its entries at ${lastOf(run)}`);
      const covered = coveredBy(run, above);
      found.push(...decodeRun(run, record).slice(covered, covered + limit - found.length));
    }
    return found;
  }

  #firstRunAbove(position: Position): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(lastOf(this.#runs[middle]!), position) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #above(after: Position): Position {
    return comparePositions(after, this.cursor) < 0 ? this.cursor : after;
  }

  #reach(position: Position): void {
    if (comparePositions(position, this.last) <= 0) return;
    this.#lastMs = positionTimeMs(position);
    this.#lastSequence = positionSequence(position);
  }

  #dropOldest(): void {
    const entry = this.#recent[this.#recentFrom]!;
    this.#recentCharacters -= entry.payload.length;
    this.#forgotten = entry.position;
    this.#recentFrom += 1;
  }

  #compact(): void {
    const few = this.#recentFrom < 64 || this.#recentFrom * 2 < this.#recent.length;
    if (few && this.#recentFrom < this.#recent.length) return;
    this.#recent = this.#recent.slice(this.#recentFrom);
    this.#recentFrom = 0;
  }
}

function lastOf(run: EntryRun): Position {
  return positionOf(run.ms, run.sequence + run.count - 1);
}

/** The number of entries of a run at or below a position. */
function coveredBy(run: EntryRun, position: Position): number {
  const ms = positionTimeMs(position);
  if (ms !== run.ms) return ms < run.ms ? 0 : run.count;
  return Math.min(Math.max(positionSequence(position) - run.sequence + 1, 0), run.count);
}
