import type { BrokenLaws } from '../node/laws.ts';
import type { CatalogueEntry } from '../ports/catalogue-log.ts';
import { Overloaded } from '../ports/errors.ts';
import type { Acquired, Condition, Lease, Member } from '../ports/leases.ts';
import type { LogEntry, MarkOutcome, OnceEntry, OnceMark, OnceOutcome, PartitionTail } from '../ports/log.ts';
import { comparePositions, type Position, positionTimeMs } from '../ports/position.ts';
import type { StoreToken } from '../ports/store-token.ts';
import { CatalogueTruth } from './catalogue-truth.ts';
import { LossShadow } from './loss-shadow.ts';
import { type PartitionImage, PartitionTruth } from './partition-truth.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { EPOCH_MS } from './virtual-time.ts';
import type { World } from './world.ts';

/** Mean time until what was written is on disk. */
const SYNC_MS = 0.5;

interface WaitingRead {
  readonly tryAnswer: () => boolean;
}

/** What the checkers may listen to. */
export interface LogObserver {
  appended(partition: number, entries: readonly LogEntry[]): void;
  trimmed(partition: number, entries: readonly LogEntry[]): void;
  /** Entries that nobody was told of, and that had not reached the disk when the server crashed. */
  unsynced?(partition: number, entries: readonly LogEntry[]): void;
  /** Entries that no trim removed: the server lost them. */
  lost(partition: number, entries: readonly LogEntry[]): void;
  published(payloads: readonly string[]): void;
  /** A cursor was moved by somebody whose lease is not the present one. */
  movedByStaleOwner(lease: Lease): void;
}

/** The log server: what is true, whatever the processes around it believe. */
export class LogServer {
  readonly partitions: readonly PartitionTruth[];
  readonly catalogue: CatalogueTruth;
  /** How far the server's clock is off. */
  clockSkewMs = 0;
  observer: LogObserver = { appended() {}, trimmed() {}, lost() {}, published() {}, movedByStaleOwner() {} };
  readonly #world: World;
  readonly #broken: BrokenLaws;
  readonly #members = new Map<string, { readonly untilMs: number; readonly condition: Condition }>();
  readonly #listeners = new Map<string, { process: SimulatedProcess; receive: (payload: string) => void }>();
  #reads = new Set<WaitingRead>();
  readonly #shadows: readonly LossShadow[];
  /** How often the server lost entries that it had acknowledged. */
  losses = 0;
  /** Grows when the server crashes: what was under way then is never answered. */
  #life = 0;

  constructor(world: World, partitions: number, catalogueBound: number, broken: BrokenLaws) {
    this.#world = world;
    this.#broken = broken;
    this.partitions = Array.from({ length: partitions }, (_, partition) => new PartitionTruth(partition));
    this.#shadows = this.partitions.map(() => new LossShadow(world.time));
    this.catalogue = new CatalogueTruth(catalogueBound);
  }

  get nowMs(): number {
    return Math.floor(EPOCH_MS + this.#world.time.nowMs + this.clockSkewMs);
  }

  partition(number: number): PartitionTruth {
    const partition = this.partitions[number];
    if (!partition) throw new Error(`there is no partition ${number}`);
    return partition;
  }

  append(
    number: number,
    payloads: readonly string[],
    maxLength: number | undefined,
    answer: (positions: Position[]) => void,
    fail: (error: Error) => void,
  ): void {
    const partition = this.partition(number);
    if (maxLength !== undefined && partition.entries.length >= maxLength) {
      fail(new Overloaded(`partition ${number} holds ${partition.entries.length} entries`));
      return;
    }
    const nowMs = this.nowMs;
    const positions = payloads.map((payload) => partition.append(nowMs, payload));
    this.observer.appended(number, partition.entries.slice(-payloads.length));
    this.#whenSynced(partition, () => answer(positions));
  }

  appendOnce(number: number, entries: readonly OnceEntry[], answer: (outcomes: OnceOutcome[]) => void): void {
    const partition = this.partition(number);
    const nowMs = this.nowMs;
    const outcomes = entries.map((entry) => partition.appendOnce(nowMs, entry));
    const appended = outcomes.filter((outcome) => outcome === 'appended').length;
    if (appended > 0) this.observer.appended(number, partition.entries.slice(-appended));
    this.#whenSynced(partition, () => answer(outcomes));
  }

  markOnce(number: number, marks: readonly OnceMark[], answer: (outcomes: MarkOutcome[]) => void): void {
    const partition = this.partition(number);
    const outcomes = marks.map((mark) => partition.markOnce(mark));
    this.#whenSynced(partition, () => answer(outcomes));
  }

  /** The returned function ends the wait. */
  read(
    after: ReadonlyMap<number, Position>,
    limit: number,
    waitMs: number,
    answer: (found: Map<number, LogEntry[]>) => void,
  ): () => void {
    const find = () => {
      const found = new Map<number, LogEntry[]>();
      for (const [number, position] of after) {
        const entries = this.partition(number).after(position, limit);
        if (entries.length === 0) continue;
        found.set(number, entries);
        if (this.#broken.has('reading-takes-nothing')) this.partition(number).take(entries);
      }
      return found;
    };
    return this.#waitFor(find, (found) => found.size > 0, waitMs, answer);
  }

  readCatalogue(after: number, limit: number, waitMs: number, answer: (entries: CatalogueEntry[]) => void): () => void {
    const find = () => this.catalogue.read(after, limit);
    return this.#waitFor(find, (entries) => entries.length > 0, waitMs, answer);
  }

  publish(payloads: readonly string[]): void {
    this.catalogue.publish(payloads);
    this.observer.published(payloads);
    this.#wakeReads();
  }

  tail(number: number): PartitionTail {
    const { last, entries, appended } = this.partition(number);
    return { last, length: entries.length, appended, nowMs: Math.max(this.nowMs, positionTimeMs(last)) };
  }

  cursors(numbers: readonly number[]): Position[] {
    return numbers.map((number) => this.partition(number).cursor);
  }

  heartbeat(member: string, ttlMs: number, condition: Condition): Member[] {
    const nowMs = this.nowMs;
    this.#members.set(member, { untilMs: nowMs + ttlMs, condition });
    for (const [name, { untilMs }] of this.#members) if (untilMs <= nowMs) this.#members.delete(name);
    return [...this.#members.keys()].sort().map((name) => {
      const { untilMs, condition: said } = this.#members.get(name)!;
      return { name, condition: said, leftMs: untilMs - nowMs };
    });
  }

  leave(member: string): void {
    this.#members.delete(member);
  }

  acquire(partitions: readonly number[], owner: string, ttlMs: number): Acquired[] {
    const acquired: Acquired[] = [];
    for (const number of partitions) {
      const one = this.partition(number).acquire(this.nowMs, owner, ttlMs);
      if (!one) continue;
      acquired.push(one);
      const { epoch } = one.lease;
      this.#world.trace.note(this.#world.time.nowMs, () => `${owner} acquires ${number} under epoch ${epoch}`);
      this.#shadow(number).acquired();
    }
    return acquired;
  }

  renew(leases: readonly Lease[], ttlMs: number): Lease[] {
    return leases.filter((lease) => this.partition(lease.partition).renew(this.nowMs, lease, ttlMs));
  }

  tokens(numbers: readonly number[]): StoreToken[] {
    return numbers.map((number) => this.partition(number).token);
  }

  commit(lease: Lease, cursor: Position, token?: StoreToken): boolean {
    const partition = this.partition(lease.partition);
    if (!partition.holds(lease)) {
      if (!this.#broken.has('stale-owner-cannot-commit')) return false;
      this.observer.movedByStaleOwner(lease);
    }
    const trimmed = partition.commit(cursor, token);
    if (trimmed.length > 0) this.observer.trimmed(lease.partition, trimmed);
    return true;
  }

  /** One step on the partition for whoever still holds it. */
  withLease(lease: Lease, step: (partition: PartitionTruth) => void): boolean {
    const partition = this.partition(lease.partition);
    if (!partition.holds(lease)) return false;
    step(partition);
    return true;
  }

  listen(address: string, process: SimulatedProcess, receive: (payload: string) => void): void {
    this.#listeners.set(address, { process, receive });
  }

  /** Hands `payload` over to whoever listens now; it reaches that process after `delayMs`. */
  send(address: string, payload: string, delayMs: () => number): void {
    const listener = this.#listeners.get(address);
    if (!listener) return;
    const deliver = () => listener.process.deliver(() => listener.receive(payload));
    this.#world.time.after(delayMs(), 'reply delivered', deliver);
  }

  /** Power fails and returns: what had not reached the disk is gone, and so are the calls under way. */
  crash(): void {
    this.#life += 1;
    this.#reads = new Set();
    for (const partition of this.partitions) {
      const dropped = partition.dropUnsynced();
      if (dropped.length > 0) this.observer.unsynced?.(partition.partition, dropped);
    }
  }

  /** The partition is replaced by an older image of it, or by nothing. */
  restore(number: number, image: PartitionImage | null): void {
    this.#lose(number, (partition) => partition.restore(image));
  }

  /** The partition's stream is destroyed. */
  wipe(number: number): void {
    this.#lose(number, (partition) => partition.wipe());
  }

  /** Whether what stands at `position` may be missed because of a loss that nobody can have noticed yet. */
  inShadow(number: number, position: Position): boolean {
    return this.#shadow(number).covers(position);
  }

  raise(lease: Lease, position: Position): boolean {
    const raised = this.withLease(lease, (partition) => partition.raise(position));
    if (raised) this.#shadow(lease.partition).raised();
    return raised;
  }

  #lose(number: number, step: (partition: PartitionTruth) => LogEntry[]): void {
    const partition = this.partition(number);
    this.#shadow(number).fall(partition.last);
    this.losses += 1;
    this.observer.lost(number, step(partition));
  }

  #shadow(number: number): LossShadow {
    return this.#shadows[number] as LossShadow;
  }

  #whenSynced(partition: PartitionTruth, then: () => void): void {
    const life = this.#life;
    const position = partition.last;
    this.#world.time.after(this.#world.random.exponential(SYNC_MS), `sync ${partition.partition}`, () => {
      if (life !== this.#life || comparePositions(position, partition.last) > 0) return;
      partition.sync(position);
      this.#wakeReads();
      then();
    });
  }

  #waitFor<T>(find: () => T, enough: (found: T) => boolean, waitMs: number, answer: (found: T) => void): () => void {
    const found = find();
    if (enough(found) || waitMs <= 0) {
      answer(found);
      return () => {};
    }
    const read: WaitingRead = {
      tryAnswer: () => {
        const later = find();
        if (!enough(later)) return false;
        end(later);
        return true;
      },
    };
    const end = (value: T) => {
      if (!this.#reads.delete(read)) return;
      cancel();
      answer(value);
    };
    const cancel = this.#world.time.after(waitMs, 'read waits no longer', () => end(find()));
    this.#reads.add(read);
    return () => end(find());
  }

  #wakeReads(): void {
    for (const read of [...this.#reads]) read.tryAnswer();
  }
}
