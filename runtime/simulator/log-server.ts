import type { BrokenLaws } from '../node/laws.ts';
import type { CatalogueEntry } from '../ports/catalogue-log.ts';
import { Overloaded } from '../ports/errors.ts';
import type { AcquiredPartition, Lease, Member, MemberCondition } from '../ports/leases.ts';
import type {
  AppendOnceOutcome,
  IdempotentEntry,
  IdempotentMark,
  LogEntry,
  MarkOutcome,
  PartitionTail,
} from '../ports/log.ts';
import { comparePositions, type Position, positionTimeMs, START } from '../ports/position.ts';
import type { RelayedBatch, RelaySource } from '../ports/relayed.ts';
import type { SharedRecord } from '../ports/shared-records.ts';
import type { StoreToken } from '../ports/store-token.ts';
import type { CatalogueState } from './catalogue-state.ts';
import { LogData, type LogOperation } from './log-data.ts';
import { type LogObserver, NO_OBSERVER } from './log-observer.ts';
import { LossWindow } from './loss-window.ts';
import type { PartitionImage, PartitionState } from './partition-state.ts';
import { RELAYED_LAWS, type RelayedLaws } from './relayed-laws.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { EPOCH_MS } from './virtual-time.ts';
import { WaitingReads } from './waiting-reads.ts';
import type { World } from './world.ts';

/** Mean time until a write is on disk, ms. */
const SYNC_MS = 0.5;

type Listeners = Map<string, { process: SimulatedProcess; receive: (payload: string) => void }>;

/** The state that the servers of one group share. */
export class SharedLogState {
  /** The offset of the servers' clock, ms. */
  clockSkewMs = 0;
  readonly listeners: Listeners = new Map();
}

/** The log server, which has the true state of the log, whatever the processes around it believe. */
export class LogServer {
  data: LogData;
  /** Called with each change, in order; replicas receive these. */
  onChange: (operation: LogOperation) => void = () => {};
  observer: LogObserver = NO_OBSERVER;
  readonly #world: World;
  readonly #broken: BrokenLaws;
  readonly #shared: SharedLogState;
  readonly #reads: WaitingReads;
  readonly #lossWindows: readonly LossWindow[];
  /** Law 14, of entries of another log. */
  relayedLaws: RelayedLaws = RELAYED_LAWS;
  /** By partition, the last position that any reader knows the entries to. */
  readonly #readThrough = new Map<number, Position>();
  /** The number of times that the server lost acknowledged entries. */
  losses = 0;
  /** Rises when the server crashes: calls that were under way are never answered. */
  #life = 0;

  constructor(
    world: World,
    partitions: number,
    catalogueBound: number,
    broken: BrokenLaws,
    surroundings = new SharedLogState(),
  ) {
    this.#world = world;
    this.#broken = broken;
    this.#shared = surroundings;
    this.#reads = new WaitingReads(world.time);
    this.data = new LogData(partitions, catalogueBound);
    this.#lossWindows = this.partitions.map(() => new LossWindow(world.time));
  }

  get partitions(): readonly PartitionState[] {
    return this.data.partitions;
  }

  get catalogue(): CatalogueState {
    return this.data.catalogue;
  }

  get clockSkewMs(): number {
    return this.#shared.clockSkewMs;
  }

  set clockSkewMs(skewMs: number) {
    this.#shared.clockSkewMs = skewMs;
  }

  get nowMs(): number {
    return Math.floor(EPOCH_MS + this.#world.time.nowMs + this.clockSkewMs);
  }

  /** The entries that a reader of this server alone may see, by partition. */
  get visible(): readonly LogEntry[][] {
    return this.partitions.map((partition) => partition.after(START, Number.POSITIVE_INFINITY));
  }

  /** Makes every change of the server's data, as one atomic step that a replica can repeat. */
  change<T>(operation: (data: LogData) => T): T {
    const made = operation(this.data);
    this.onChange(operation);
    return made;
  }

  partition(number: number): PartitionState {
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
    const positions = this.#at(number, (state) => payloads.map((payload) => state.append(nowMs, payload)));
    this.observer.appended(number, partition.entries.slice(-payloads.length));
    this.#whenSynced(partition, () => answer(positions));
  }

  appendOnce(
    number: number,
    entries: readonly IdempotentEntry[],
    answer: (outcomes: AppendOnceOutcome[]) => void,
  ): void {
    const partition = this.partition(number);
    const nowMs = this.nowMs;
    const outcomes = this.#at(number, (state) => entries.map((entry) => state.appendOnce(nowMs, entry)));
    const appended = outcomes.filter((outcome) => outcome === 'appended').length;
    if (appended > 0) this.observer.appended(number, partition.entries.slice(-appended));
    this.#whenSynced(partition, () => answer(outcomes));
  }

  markOnce(number: number, marks: readonly IdempotentMark[], answer: (outcomes: MarkOutcome[]) => void): void {
    const partition = this.partition(number);
    const outcomes = this.#at(number, (state) => marks.map((mark) => state.markOnce(mark)));
    this.#whenSynced(partition, () => answer(outcomes));
  }

  appendRelayed(number: number, source: string, batch: RelayedBatch, answer: (position: Position) => void): void {
    const partition = this.partition(number);
    this.observer.relayed?.(this, number, source, batch);
    const nowMs = this.nowMs;
    const before = partition.appended;
    const laws = this.relayedLaws;
    const position = this.#at(number, (state) => state.appendRelayed(nowMs, source, batch, laws));
    const appended = partition.appended - before;
    if (appended > 0) this.observer.appended(number, partition.entries.slice(-appended), source);
    this.#whenSynced(partition, () => answer(position));
  }

  /** The name of the data; that of new data begins with the server's time. */
  identity(unique: string): string {
    const made = `${this.nowMs.toString(36)}-${unique}`;
    return this.change((data) => {
      if (data.identity === '') data.identity = made;
      return data.identity;
    });
  }

  /** Replaces a record, or removes it, if its version is as expected. */
  replaceRecord(id: string, before: string | null, record: SharedRecord | null): boolean {
    return this.change((data) => {
      if ((data.records.get(id)?.version ?? null) !== before) return false;
      const records = new Map(data.records);
      if (record === null) records.delete(id);
      else records.set(id, record);
      data.records = records;
      return true;
    });
  }

  writeOff(number: number, source: string, why: string): void {
    this.#at(number, (state) => state.writeOff(source, why));
  }

  /** What a caller may see of the sources of a partition. The entries that it tells of have been read then. */
  sources(number: number): RelaySource[] {
    const partition = this.partition(number);
    this.#noteRead(number, partition.synced);
    return partition.sources(partition.synced);
  }

  /** Reads entries, waiting for the first one; the returned function ends the wait. */
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
        this.#noteRead(number, entries.at(-1)!.position);
        if (this.#broken.has('reading-takes-nothing')) this.partition(number).take(entries);
      }
      return found;
    };
    return this.#reads.add(find, (found) => found.size > 0, waitMs, answer);
  }

  readCatalogue(after: number, limit: number, waitMs: number, answer: (entries: CatalogueEntry[]) => void): () => void {
    const find = () => this.catalogue.read(after, limit);
    return this.#reads.add(find, (entries) => entries.length > 0, waitMs, answer);
  }

  publish(payloads: readonly string[]): void {
    this.change(({ catalogue }) => catalogue.publish(payloads));
    this.observer.published(payloads);
    this.#reads.wake();
  }

  tail(number: number): PartitionTail {
    const { last, entries, appended } = this.partition(number);
    return { last, length: entries.length, appended, nowMs: Math.max(this.nowMs, positionTimeMs(last)) };
  }

  cursors(numbers: readonly number[]): Position[] {
    return numbers.map((number) => this.partition(number).cursor);
  }

  heartbeat(member: string, ttlMs: number, condition: MemberCondition): Member[] {
    const nowMs = this.nowMs;
    return this.change(({ members }) => {
      members.set(member, { untilMs: nowMs + ttlMs, condition });
      for (const [name, { untilMs }] of members) if (untilMs <= nowMs) members.delete(name);
      return [...members.keys()].sort().map((name) => {
        const { untilMs, condition: said } = members.get(name)!;
        return { name, condition: said, leftMs: untilMs - nowMs };
      });
    });
  }

  leave(member: string): void {
    this.change(({ members }) => members.delete(member));
  }

  acquire(partitions: readonly number[], owner: string, ttlMs: number): AcquiredPartition[] {
    const acquired: AcquiredPartition[] = [];
    const { nowMs } = this;
    for (const number of partitions) {
      const one = this.#at(number, (state) => state.acquire(nowMs, owner, ttlMs));
      if (!one) continue;
      acquired.push(one);
      const { epoch } = one.lease;
      this.#world.trace.note(this.#world.time.nowMs, () => `${owner} acquires ${number} under epoch ${epoch}`);
      this.#lossWindow(number).acquired();
    }
    return acquired;
  }

  renew(leases: readonly Lease[], ttlMs: number): Lease[] {
    const { nowMs } = this;
    return leases.filter((lease) => this.#at(lease.partition, (state) => state.renew(nowMs, lease, ttlMs)));
  }

  release(lease: Lease): void {
    this.#at(lease.partition, (state) => state.release(lease));
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
    const trimmed = this.#at(lease.partition, (state) => state.commit(cursor, token));
    if (trimmed.length > 0) this.observer.trimmed(lease.partition, trimmed);
    return true;
  }

  /** Makes one step on the partition if the lease still holds. */
  withLease(lease: Lease, step: (partition: PartitionState) => void): boolean {
    if (!this.partition(lease.partition).holds(lease)) return false;
    this.#at(lease.partition, step);
    return true;
  }

  listen(address: string, process: SimulatedProcess, receive: (payload: string) => void): void {
    this.#shared.listeners.set(address, { process, receive });
  }

  /** Sends `payload` to the process that listens now; it arrives after `delayMs`. */
  send(address: string, payload: string, delayMs: () => number): void {
    const listener = this.#shared.listeners.get(address);
    if (!listener) return;
    const deliver = () => listener.process.deliver(() => listener.receive(payload));
    this.#world.time.after(delayMs(), 'reply delivered', deliver);
  }

  /** Simulates a power failure: what had not reached the disk is lost, and so are the calls under way. */
  crash(): void {
    this.hangUp();
    for (const { partition: number } of this.partitions) {
      const dropped = this.#at(number, (state) => state.dropUnsynced());
      if (dropped.length > 0) this.observer.unsynced?.(number, dropped);
    }
  }

  /** Drops the calls under way, which are never answered. */
  hangUp(): void {
    this.#life += 1;
    this.#reads.forget();
  }

  /** Replaces the partition by an older image of it, or by nothing. */
  restore(number: number, image: PartitionImage | null): void {
    this.#lose(number, (state) => state.restore(image));
  }

  /** Destroys the partition's stream. */
  wipe(number: number): void {
    this.#lose(number, (state) => state.wipe());
  }

  /**
   * Loses the last batches of a partition that nobody has read any of, whole as they came: one of which a part was
   * read, and trimmed, stays. `batchOf`: undefined of an entry that is not lost. Returns the number of entries.
   */
  loseUnread(number: number, batchOf: (position: Position) => number | undefined): number {
    this.crash();
    const { entries, cursor, appended, token } = this.partition(number);
    const read = this.#readThrough.get(number) ?? START;
    const mayBeLost = ({ position }: LogEntry) =>
      comparePositions(position, read) > 0 && batchOf(position) !== undefined;
    const lastKept = () => entries[kept - 1]?.position ?? cursor;
    let kept = entries.length;
    while (kept > 0 && mayBeLost(entries[kept - 1]!)) kept -= 1;
    const torn = batchOf(lastKept());
    while (torn !== undefined && kept < entries.length && batchOf(entries[kept]!.position) === torn) kept += 1;
    const lost = entries.length - kept;
    if (lost === 0) return 0;
    const last = lastKept();
    this.#lose(number, (state) => {
      const { note } = state.image();
      return state.restore({ entries: entries.slice(0, kept), last, appended: appended - lost, cursor, token, note });
    });
    return lost;
  }

  /** Whether the entry at `position` may be missed because of a loss that no process can have noticed yet. */
  inLossWindow(number: number, position: Position): boolean {
    return this.#lossWindow(number).covers(position);
  }

  raise(lease: Lease, position: Position): boolean {
    const raised = this.withLease(lease, (partition) => partition.raise(position));
    if (raised) this.#lossWindow(lease.partition).raised();
    return raised;
  }

  #noteRead(number: number, through: Position): void {
    if (comparePositions(through, this.#readThrough.get(number) ?? START) > 0) this.#readThrough.set(number, through);
  }

  #lose(number: number, step: (partition: PartitionState) => LogEntry[]): void {
    const partition = this.partition(number);
    this.#lossWindow(number).begin(partition.last);
    this.losses += 1;
    this.observer.lost(number, this.#at(number, step));
  }

  #at<T>(number: number, step: (partition: PartitionState) => T): T {
    return this.change(({ partitions }) => step(partitions[number] as PartitionState));
  }

  #lossWindow(number: number): LossWindow {
    return this.#lossWindows[number] as LossWindow;
  }

  #whenSynced(partition: PartitionState, then: () => void): void {
    const life = this.#life;
    const position = partition.last;
    this.#world.time.after(this.#world.random.exponential(SYNC_MS), `sync ${partition.partition}`, () => {
      if (life !== this.#life || comparePositions(position, partition.last) > 0) return;
      this.#at(partition.partition, (state) => state.sync(position));
      this.#reads.wake();
      then();
    });
  }
}
