import { randomUUID } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import { withNote } from '../../ports/log.ts';
import { comparePositions, type Position, START } from '../../ports/position.ts';
import {
  FOREIGN_REMEMBERED_MS,
  REMEMBERED_MS,
  type RelayedAppends,
  type RelayedBatch,
  type RelayedEntry,
  type RelaySource,
  type TooLateEntry,
} from '../../ports/relayed.ts';
import type { CommitGroup } from './commit-group.ts';
import type { DiskRoom } from './disk-room.ts';
import type { Environment } from './environment.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { Partition, RelayedSource } from './partition.ts';

const IDENTITY = 'identity';
const NEW_SOURCE: RelayedSource = [START, 0, null];

/** Entries of other logs in the data folder. */
export class EmbeddedRelayedAppends implements RelayedAppends {
  readonly #partitions: readonly Partition[];
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #idempotencyKeys: IdempotencyKeys;
  readonly #clock: Clock;
  readonly #room: DiskRoom;
  #made: string | undefined;

  constructor(
    partitions: readonly Partition[],
    environment: Environment,
    group: CommitGroup,
    onceIds: IdempotencyKeys,
    clock: Clock,
    room: DiskRoom,
  ) {
    this.#partitions = partitions;
    this.#environment = environment;
    this.#group = group;
    this.#idempotencyKeys = onceIds;
    this.#clock = clock;
    this.#room = room;
  }

  /** The name that the data have; undefined until it is asked for. */
  get knownIdentity(): string | undefined {
    return this.#environment.relayed.get(IDENTITY) ?? this.#made;
  }

  identity(): Promise<string> {
    return this.#group.write(() => {
      const known = this.knownIdentity;
      if (known !== undefined) return known;
      this.#made = `${Math.floor(this.#clock.now()).toString(36)}-${randomUUID().slice(0, 8)}`;
      this.#environment.relayed.put(IDENTITY, this.#made);
      return this.#made;
    }, LogUnavailable);
  }

  appendRelayed(partition: number, source: string, batch: RelayedBatch): Promise<Position> {
    return this.#group.write(() => {
      this.#room.check();
      const to = this.#partition(partition);
      const [position, throughMs, writtenOff] = to.sources.get(source) ?? NEW_SOURCE;
      if (comparePositions(batch.after, position) > 0) return position;
      const nowMs = Math.floor(this.#clock.now());
      let last = position;
      for (const entry of batch.entries) {
        if (comparePositions(entry.from, last) <= 0) continue;
        last = entry.from;
        if (writtenOff !== null || isTooLate(entry, nowMs)) this.#park(partition, source, entry);
        else this.#append(to, nowMs, entry);
      }
      to.sources.set(source, [last, Math.max(throughMs, Math.floor(batch.throughMs)), writtenOff]);
      to.touch();
      return last;
    }, LogUnavailable);
  }

  sources(partition: number): Promise<RelaySource[]> {
    return this.#group.write(
      () =>
        [...this.#partition(partition).sources].map(([source, [position, throughMs, writtenOff]]) => ({
          source,
          position,
          throughMs,
          writtenOff,
        })),
      LogUnavailable,
    );
  }

  writeOff(partition: number, source: string, why: string): Promise<void> {
    return this.#group.write(() => {
      const to = this.#partition(partition);
      const [position, throughMs, writtenOff] = to.sources.get(source) ?? NEW_SOURCE;
      to.sources.set(source, [position, throughMs, writtenOff ?? why]);
      to.touch();
    }, LogUnavailable);
  }

  async tooLate(partition: number, limit: number): Promise<TooLateEntry[]> {
    const prefix = parkedPrefix(partition);
    return [...this.#environment.relayed.getRange({ start: prefix, end: `${prefix}~`, limit })].map(({ value }) =>
      JSON.parse(value),
    );
  }

  #append(to: Partition, nowMs: number, entry: RelayedEntry): void {
    const isSettled = entry.isOwn && entry.provisional === undefined;
    const seen = this.#idempotencyKeys.remember(to.number, entry, isSettled ? 0 : FOREIGN_REMEMBERED_MS);
    if (seen !== 'repeated') to.append(nowMs, seen === null ? entry.payload : withNote(entry, seen.note));
  }

  #park(partition: number, source: string, { from, payload }: RelayedEntry): void {
    const [ms, sequence] = from.split('-') as [string, string];
    const key = `${parkedPrefix(partition)}${ms.padStart(15, '0')}-${sequence.padStart(10, '0')}/${source}`;
    this.#environment.relayed.put(key, JSON.stringify({ source, from, payload } satisfies TooLateEntry));
  }

  #partition(number: number): Partition {
    const partition = this.#partitions[number];
    if (!partition) throw new RangeError(`there is no partition ${number}: there are ${this.#partitions.length}`);
    return partition;
  }
}

function parkedPrefix(partition: number): string {
  return `too-late/${String(partition).padStart(5, '0')}/`;
}

/** Whether the log may have forgotten that the id was appended. */
function isTooLate({ expiresAtMs, isOwn }: RelayedEntry, nowMs: number): boolean {
  return expiresAtMs + (isOwn ? FOREIGN_REMEMBERED_MS : REMEMBERED_MS) <= nowMs;
}
