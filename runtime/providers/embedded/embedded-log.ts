import { Signal } from '#async/signal';
import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable, Overloaded } from '../../ports/errors.ts';
import {
  type AppendOnceOutcome,
  type AppendOptions,
  type IdempotencyKey,
  type IdempotentEntry,
  type IdempotentMark,
  type LogEntry,
  type MarkOutcome,
  type MessageLog,
  type PartitionTail,
  withNote,
} from '../../ports/log.ts';
import { type Position, positionTimeMs } from '../../ports/position.ts';
import { FOREIGN_REMEMBERED_MS } from '../../ports/relayed.ts';
import type { CommitGroup, Participant } from './commit-group.ts';
import type { DiskRoom } from './disk-room.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { Partition } from './partition.ts';

/** The message log in the data folder. Reads come from memory, unless a reader is far behind. */
export class EmbeddedLog implements MessageLog, Participant {
  readonly #partitions: readonly Partition[];
  readonly #group: CommitGroup;
  readonly #idempotencyKeys: IdempotencyKeys;
  readonly #clock: Clock;
  readonly #room: DiskRoom;
  readonly #identity: () => string | undefined;
  /** Raised with true when waiting reads must end although there is nothing new. */
  readonly #changed: Signal<boolean>;
  /** The log's clock never goes back, even when the wall clock does. */
  #nowMs = 0;

  /** `identity`: the name of the data, where they have one. */
  constructor(
    partitions: readonly Partition[],
    group: CommitGroup,
    onceIds: IdempotencyKeys,
    clock: Clock,
    room: DiskRoom,
    identity: () => string | undefined,
  ) {
    this.#partitions = partitions;
    this.#group = group;
    this.#idempotencyKeys = onceIds;
    this.#clock = clock;
    this.#room = room;
    this.#identity = identity;
    this.#changed = new Signal(clock);
    group.join(this);
  }

  get partitions(): number {
    return this.#partitions.length;
  }

  append(partition: number, payloads: readonly string[], options: AppendOptions = {}): Promise<Position[]> {
    return this.#group.write(() => {
      this.#room.check();
      const to = this.#partition(partition);
      if (options.maxLength !== undefined && to.length >= options.maxLength) {
        throw new Overloaded(`partition ${partition} holds ${to.length} entries, which is its bound`);
      }
      const nowMs = this.#now();
      return payloads.map((payload) => to.append(nowMs, payload));
    }, LogUnavailable);
  }

  appendOnce(partition: number, entries: readonly IdempotentEntry[], ofData?: string): Promise<AppendOnceOutcome[]> {
    return this.#group.write(() => {
      this.#room.check();
      if (ofData !== undefined && ofData !== this.#identity())
        throw new LogUnavailable(`the data are not those of the name ${ofData}`);
      const to = this.#partition(partition);
      const nowMs = this.#now();
      return entries.map((entry) => {
        if (nowMs >= entry.expiresAtMs) return 'expired';
        const longerMs = entry.isForeign && to.sources.size > 0 ? FOREIGN_REMEMBERED_MS : 0;
        const seen = this.#idempotencyKeys.remember(partition, entry, longerMs);
        if (seen === 'repeated') return 'repeated';
        to.append(nowMs, seen === null ? entry.payload : withNote(entry, seen.note));
        return 'appended';
      });
    }, LogUnavailable);
  }

  markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]> {
    this.#partition(partition);
    return this.#group.write(() => marks.map((mark) => this.#idempotencyKeys.mark(partition, mark)), LogUnavailable);
  }

  remembers(partition: number, names: readonly IdempotencyKey[]): Promise<boolean[]> {
    this.#partition(partition);
    return this.#group.write(() => names.map((name) => this.#idempotencyKeys.has(partition, name)), LogUnavailable);
  }

  async read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    this.#checkOpen();
    if (waitMs > 0 && !this.#anyAbove(after)) await this.#waitFor(after, waitMs);
    // Without this pause a reader in a loop would block the event loop as long as there are entries to read.
    else await new Promise(setImmediate);
    this.#checkOpen();
    const found = new Map<number, LogEntry[]>();
    try {
      for (const [number, position] of after) {
        const entries = this.#partition(number).read(position, limit);
        if (entries.length > 0) found.set(number, entries);
      }
    } catch (error) {
      throw new LogUnavailable('the log cannot be read', { cause: error });
    }
    return found;
  }

  wake(): void {
    this.#changed.raise(true);
  }

  async tail(partition: number): Promise<PartitionTail> {
    return this.#group.write(() => {
      const { last, length, appended } = this.#partition(partition);
      return { last, length, appended, nowMs: Math.max(this.#now(), positionTimeMs(last)) };
    }, LogUnavailable);
  }

  /** Ends waiting reads. */
  close(): void {
    this.#changed.raise(true);
  }

  seal(): void {
    for (const partition of this.#partitions) partition.seal();
  }

  durable(): void {
    let any = false;
    for (const partition of this.#partitions) any = partition.durable() || any;
    if (any) this.#changed.raise(false);
  }

  lost(): void {
    for (const partition of this.#partitions) partition.load();
  }

  async #waitFor(after: ReadonlyMap<number, Position>, waitMs: number): Promise<void> {
    const endsMs = this.#clock.monotonic() + waitMs;
    for (let leftMs = waitMs; leftMs > 0; leftMs = endsMs - this.#clock.monotonic()) {
      const woken = await this.#changed.wait(leftMs);
      if (woken || this.#anyAbove(after)) return;
    }
  }

  #anyAbove(after: ReadonlyMap<number, Position>): boolean {
    for (const [number, position] of after) if (this.#partition(number).holdsAbove(position)) return true;
    return false;
  }

  #partition(number: number): Partition {
    const partition = this.#partitions[number];
    if (!partition) throw new RangeError(`there is no partition ${number}: there are ${this.#partitions.length}`);
    return partition;
  }

  #now(): number {
    this.#nowMs = Math.max(this.#nowMs, Math.floor(this.#clock.now()));
    return this.#nowMs;
  }

  #checkOpen(): void {
    const refusal = this.#group.refusal;
    if (refusal) throw new LogUnavailable(refusal.message, { cause: refusal });
  }
}
