import { bundle, messagesOf } from '../node/bundle.ts';
import { encodeEnvelope } from '../node/envelope.ts';
import { causedSequence } from '../node/sequence.ts';
import type { Clock } from '../ports/clock.ts';
import type { AcquiredPartition, Lease, LeaseTable } from '../ports/leases.ts';
import type { LogEntry, MessageLog } from '../ports/log.ts';
import type { MessageSum, UnsummedMessage } from '../ports/message-sum.ts';
import { comparePositions, type Position } from '../ports/position.ts';

/** The log at home, as far as a relay of sums uses it. */
export interface HomeOfSums {
  /** The partition of a receiver, `kind/id`. */
  partitionOf(to: string): number;
  /** Appends entries of numbered messages; rejects like `MessageLog.append` with a bound. */
  append(partition: number, payloads: readonly string[]): Promise<unknown>;
}

interface SummingPartitionDeps {
  readonly region: { readonly log: Pick<MessageLog, 'read'>; readonly leases: LeaseTable };
  readonly home: HomeOfSums;
  /** The sender of the sums, the same for every relay of this partition of this log. */
  readonly sender: string;
  readonly newSum: () => MessageSum;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Appends to home that are to be made, in this order, before the cursor may move to `end`. */
interface Batch {
  readonly end: Position;
  readonly appends: { readonly partition: number; readonly payloads: readonly string[] }[];
  readonly messages: number;
  isNoted: boolean;
}

/** Entries read at once while a noted batch is made again. */
const READ_AT_ONCE = 100;
/** Bounds of one append to home. */
const MAX_MESSAGES = 500;
const MAX_CHARACTERS = 1_000_000;

/**
 * The relay of one partition's sums, under one lease. The end of a batch is noted beside the cursor before anything of
 * it is sent, and the cursor moves once all of it is at home. So a relay that follows makes the same batch again, of
 * the same entries, with the same sender and numbers, and receivers skip what they have: each message counts once,
 * whatever dies between two steps.
 */
export class SummingPartition {
  readonly lease: Lease;
  readonly #deps: SummingPartitionDeps;
  readonly #acquired: AcquiredPartition;
  #after: Position;
  #sum: MessageSum;
  #sinceMs: number | null = null;
  #batch: Batch | null = null;
  #sent = 0;

  constructor(deps: SummingPartitionDeps, acquired: AcquiredPartition) {
    this.#deps = deps;
    this.#acquired = acquired;
    this.lease = acquired.lease;
    this.#after = acquired.cursor;
    this.#sum = deps.newSum();
  }

  /** Everything up to here has been read. */
  get after(): Position {
    return this.#after;
  }

  /** The number of messages that the next batch has so far. */
  get size(): number {
    return this.#sum.size;
  }

  /** When the first message of the next batch was read, monotonic ms; null while there is none. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** Whether a batch is made and not known to be at home. */
  get isUnderWay(): boolean {
    return this.#batch !== null;
  }

  /** The number of messages that this relay has brought home. */
  get sent(): number {
    return this.#sent;
  }

  /** Makes the batch again that the last owner had noted and not committed. Resolves with whether the lease holds. */
  async begin(): Promise<boolean> {
    const { region } = this.#deps;
    const { note, cursor, last } = this.#acquired;
    if (note === '' || comparePositions(note, cursor) <= 0) return true;
    // The log has lost entries that may be at home: later ones must not get their positions.
    if (comparePositions(note, last) > 0 && !(await region.leases.raise(this.lease, note))) return false;
    for (let isMore = true; isMore; ) {
      const read = await region.log.read(new Map([[this.lease.partition, this.#after]]), READ_AT_ONCE, 0);
      const found = read.get(this.lease.partition) ?? [];
      const noted = found.filter(({ position }) => comparePositions(position, note) <= 0);
      this.add(noted);
      isMore = noted.length === READ_AT_ONCE;
    }
    this.#makeBatch(note, true);
    return true;
  }

  /** Adds entries that follow `after`; not while a batch is under way. Returns the number of messages. */
  add(entries: readonly LogEntry[]): number {
    let messages = 0;
    for (const entry of entries) {
      for (const { payload } of messagesOf(entry)) {
        this.#sum.add(payload);
        messages += 1;
      }
      this.#after = entry.position;
    }
    if (entries.length > 0) this.#sinceMs ??= this.#deps.clock.monotonic();
    return messages;
  }

  /**
   * Brings home what was added. Resolves with whether the lease still holds. Rejects when home or the region cannot be
   * reached: the same is to be sent again, and nothing may be added before.
   */
  async send(): Promise<boolean> {
    const { region, home } = this.#deps;
    if (this.#batch === null) {
      if (this.#sinceMs === null) return true;
      this.#makeBatch(this.#after, false);
    }
    const batch = this.#batch!;
    const { end, appends, messages } = batch;
    if (!batch.isNoted && !(await region.leases.note(this.lease, end))) return false;
    batch.isNoted = true;
    for (let next = appends[0]; next !== undefined; next = appends[0]) {
      await home.append(next.partition, next.payloads);
      appends.shift();
    }
    if (!(await region.leases.commit(this.lease, end))) return false;
    this.#batch = null;
    this.#sent += messages;
    return true;
  }

  #makeBatch(end: Position, isNoted: boolean): void {
    const { home, sender, newSum } = this.#deps;
    const summed = this.#sum.summed().map(({ to, type, body, index }) => {
      return { to, payload: encodeEnvelope({ to, type, body, from: sender, sequence: causedSequence(end, index) }) };
    });
    const messages = [...this.#sum.unsummed(), ...summed];
    const byPartition = new Map<number, UnsummedMessage[]>();
    for (const message of messages) {
      const partition = home.partitionOf(message.to);
      const others = byPartition.get(partition);
      if (others) others.push(message);
      else byPartition.set(partition, [message]);
    }
    const appends = [...byPartition].flatMap(([partition, toIt]) =>
      portions(toIt).map((portion) => ({ partition, payloads: bundle(portion) })),
    );
    this.#batch = { end, appends, messages: messages.length, isNoted };
    this.#after = end;
    this.#sum = newSum();
    this.#sinceMs = null;
  }
}

function portions(messages: readonly UnsummedMessage[]): UnsummedMessage[][] {
  const all: UnsummedMessage[][] = [];
  let characters = 0;
  for (const message of messages) {
    characters += message.payload.length;
    const last = all.at(-1);
    if (last === undefined || last.length === MAX_MESSAGES || characters > MAX_CHARACTERS) {
      all.push([message]);
      characters = message.payload.length;
    } else {
      last.push(message);
    }
  }
  return all;
}
