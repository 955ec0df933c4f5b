import { LogUnavailable, StoreUnavailable } from '../ports/errors.ts';
import type { Acquired, Member } from '../ports/leases.ts';
import { Declines } from './declines.ts';
import { Fitness } from './fitness.ts';
import type { NodeParts } from './node-parts.ts';
import { PartitionSession } from './partition-session.ts';
import type { SessionEnd } from './session-end.ts';
import type { StoreWatch } from './store-watch.ts';
import { wishesOf } from './wishes.ts';

/** While leases end and are handed over, what is wished is asked for this often. */
const HURRY_MS = 100;
/** While a member doubts itself, how it is is asked for this often. */
const DOUBT_MS = 250;
/** A member's time is over when it is over by the log's clock: the answer has been under way, too. */
const OVERDUE_MS = 20;

interface Owned {
  readonly session: PartitionSession;
  readonly ended: Promise<void>;
  /** When the request that prolonged the lease last was sent, monotonic ms. */
  renewedAt: number;
  renewing: boolean;
}

interface Failures {
  readonly tries: number;
  readonly notBefore: number;
  /** How many of them the silence of the store or the log does not explain, since when, and the saves that this node had made then. */
  readonly unexplained: { readonly count: number; readonly sinceMs: number; readonly saves: number };
}

/**
 * Which partitions this node owns. Every living member computes the same wish for each partition (`wishesOf`), so that a join
 * or a leave moves few; leases make it true. What concerns one partition waits for none of the others: where the log answers for some of
 * them alone, those go on.
 */
export class Placement {
  readonly #parts: NodeParts;
  readonly #watch: StoreWatch;
  readonly #onRoom: () => void;
  readonly #fitness: Fitness;
  readonly #declines: Declines;
  readonly #owned = new Map<number, Owned>();
  /** Sessions that have given their lease back, and wait for the answer of a store or log that gives none. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #acquiring = new Map<number, Promise<void>>();
  /** Partitions whose last session failed. */
  readonly #failures = new Map<number, Failures>();
  readonly #seen = new Set<number>();
  #wishes: ReadonlySet<number> = new Set();
  /** Those that are seen to live, and how they are. */
  #members: readonly Member[] = [];
  #membersKey = '';
  #heardAt: number;
  /** Not before this what heartbeats answer is believed: after an outage members come back one after the other. */
  #believedFrom = Number.NEGATIVE_INFINITY;
  #beating: Promise<void> | null = null;
  #hurryUntil = 0;
  #nextExpiryAt = Number.POSITIVE_INFINITY;
  #renewalsDueAt = 0;
  /** What could not be reached since the last round, with the last reason: partitions, or null for the members. */
  readonly #away = new Map<number | null, string>();
  #running = false;
  #round: Promise<void> = Promise.resolve();
  #wakeRounds: (() => void) | null = null;

  constructor(parts: NodeParts, watch: StoreWatch, onRoom: () => void) {
    this.#parts = parts;
    this.#watch = watch;
    this.#onRoom = onRoom;
    this.#heardAt = parts.clock.monotonic();
    this.#declines = new Declines(parts.clock, parts.tuning);
    const probe = () => watch.store.highWater(0);
    this.#fitness = new Fitness(parts, watch, probe, () => this.#wakeRounds?.());
  }

  *sessions(): Iterable<PartitionSession> {
    for (const { session } of this.#owned.values()) yield session;
  }

  get ownedPartitions(): number[] {
    return [...this.#owned.keys()];
  }

  /** Resolves when the first round of acquisitions is over. */
  async start(): Promise<void> {
    this.#running = true;
    this.#heardAt = this.#parts.clock.monotonic();
    this.#fitness.start();
    await this.#beat();
    await Promise.all(this.#acquiring.values());
    this.#gauge();
    this.#round = this.#rounds();
  }

  /** Hands all partitions over: each session handles, saves and commits what it holds, then its lease is released. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#fitness.stop();
    this.#wakeRounds?.();
    await this.#round;
    await this.#beating;
    await Promise.all(this.#acquiring.values());
    for (const { session } of this.#owned.values()) session.stop();
    await Promise.all([...this.#owned.values()].map(({ ended }) => ended));
    await Promise.all(this.#leaving);
    await this.#parts.provider.leases.leave(this.#parts.incarnation).catch(() => {});
  }

  async #rounds(): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      const waitMs = this.#nextRoundMs();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(waitMs, resolve);
        this.#wakeRounds = () => {
          cancel();
          resolve();
        };
      });
      if (!this.#running) return;
      this.#look();
    }
  }

  #nextRoundMs(): number {
    const { clock, tuning } = this.#parts;
    const now = clock.monotonic();
    let waitMs = Math.min(tuning.placementIntervalMs, this.#nextExpiryAt - now);
    // What was due has been tried in the last round, or is not wanted here any more.
    for (const { notBefore } of this.#failures.values())
      if (notBefore > now) waitMs = Math.min(waitMs, notBefore - now);
    if (now < this.#hurryUntil && this.#wanted().length > 0) waitMs = Math.min(waitMs, HURRY_MS);
    const inDoubt = this.#members.some(({ condition }) => condition?.fitness === 'doubtful');
    if (inDoubt || this.#fitness.fitness === 'doubtful') waitMs = Math.min(waitMs, DOUBT_MS);
    return Math.max(waitMs, 1);
  }

  /** Begins what is due and waits for none of it: some of it may wait for a part of the log that is away. */
  #look(): void {
    const { clock, tuning } = this.#parts;
    const now = clock.monotonic();
    this.#sayWhatIsAway();
    this.#loseExpired();
    if (now >= this.#renewalsDueAt) {
      this.#renewalsDueAt = now + tuning.placementIntervalMs / 2;
      for (const [partition, owned] of this.#owned) {
        void this.#renew(owned);
        owned.session.checkTail().catch((error) => this.#away.set(partition, String(error)));
      }
    }
    this.#nextExpiryAt = Number.POSITIVE_INFINITY;
    void this.#beat();
    this.#gauge();
  }

  /** A lease that could not be renewed for its whole time may be another's by now. */
  #loseExpired(): void {
    const { clock, tuning } = this.#parts;
    const now = clock.monotonic();
    for (const { session, renewedAt } of this.#owned.values()) {
      if (now - renewedAt >= tuning.leaseTtlMs) session.abandon('the lease could not be renewed for its whole time');
    }
  }

  async #renew(owned: Owned): Promise<void> {
    if (owned.renewing) return;
    const { provider, tuning, clock } = this.#parts;
    const { lease } = owned.session;
    const since = clock.monotonic();
    owned.renewing = true;
    try {
      const [kept] = await provider.leases.renew([lease], tuning.leaseTtlMs);
      if (kept) owned.renewedAt = since;
      else owned.session.abandon('the lease was lost');
    } catch (error) {
      this.#away.set(lease.partition, String(error));
    } finally {
      owned.renewing = false;
    }
  }

  /** Tells the others how this node is, hears how they are, and acts upon it. */
  async #beat(): Promise<void> {
    this.#beating ??= this.#hear().finally(() => {
      this.#beating = null;
    });
    await this.#beating;
  }

  async #hear(): Promise<void> {
    const { provider, incarnation, tuning, metrics } = this.#parts;
    const declines = this.#declines.current();
    metrics.partitionsDeclined.set(declines.length);
    const said = this.#fitness.fitness;
    try {
      const members = await provider.leases.heartbeat(incarnation, tuning.leaseTtlMs, { fitness: said, declines });
      this.#noteMembers(members);
    } catch (error) {
      // What members there are is kept in one place: while that is away all keep what they have.
      this.#away.set(null, String(error));
    }
    if (said !== this.#fitness.fitness) this.#wakeRounds?.();
    if (this.#fitness.fitness === 'unfit') this.#handOver('this node is unfit');
    for (const [partition, { session }] of this.#owned) if (!this.#wishes.has(partition)) session.stop();
    if (!(this.#running as boolean)) return;
    for (const partition of this.#wanted()) {
      this.#acquiring.set(
        partition,
        this.#acquire(partition).finally(() => this.#acquiring.delete(partition)),
      );
    }
  }

  #noteMembers(members: readonly Member[]): void {
    const { incarnation, tuning, clock, kinds } = this.#parts;
    const now = clock.monotonic();
    if (now - this.#heardAt >= tuning.leaseTtlMs) this.#believedFrom = now + 2 * tuning.placementIntervalMs;
    this.#heardAt = now;
    if (now < this.#believedFrom) return;
    this.#fitness.noteMembers(members, incarnation);
    this.#members = members;
    this.#wishes = wishesOf(incarnation, kinds.partitions, members);
    const others = members.filter(({ name }) => name !== incarnation);
    this.#nextExpiryAt = Math.min(...others.map(({ leftMs }) => now + leftMs + OVERDUE_MS));
    const key = members.map(({ name, condition }) => `${name} ${condition?.fitness} ${condition?.declines}`).join();
    if (key !== this.#membersKey) this.#hurryUntil = now + 2 * tuning.leaseTtlMs;
    this.#membersKey = key;
  }

  /** Partitions to be acquired now. */
  #wanted(): number[] {
    if (this.#fitness.fitness === 'unfit' && this.#othersCanHold(null)) return [];
    const now = this.#parts.clock.monotonic();
    return [...this.#wishes].filter(
      (partition) =>
        !this.#owned.has(partition) &&
        !this.#acquiring.has(partition) &&
        (this.#failures.get(partition)?.notBefore ?? 0) <= now,
    );
  }

  async #acquire(partition: number): Promise<void> {
    const { provider, incarnation, tuning, clock } = this.#parts;
    const since = clock.monotonic();
    try {
      const [acquired] = await provider.leases.acquire([partition], incarnation, tuning.leaseTtlMs);
      if (acquired) this.#begin(acquired, since);
    } catch (error) {
      this.#away.set(partition, String(error));
    }
  }

  /** Gives all up at once: without its store this node can save nothing, and the next owner need not wait for leases to end. */
  #handOver(why: string): void {
    if (!this.#othersCanHold(null)) return;
    for (const [partition, { session, ended }] of this.#owned) {
      session.abandon(why);
      this.#owned.delete(partition);
      this.#leaving.add(ended);
      void ended.then(() => this.#leaving.delete(ended));
      void this.#release(session);
    }
  }

  async #release({ lease }: PartitionSession): Promise<void> {
    await this.#parts.provider.leases.release(lease).catch(() => {});
  }

  /** Whether another member would be given the partition, or any. */
  #othersCanHold(partition: number | null): boolean {
    return this.#members.some(({ name, condition }) => {
      if (name === this.#parts.incarnation || condition?.fitness === 'unfit') return false;
      return partition === null || !condition?.declines.includes(partition);
    });
  }

  #begin(acquired: Acquired, since: number): void {
    const { partition } = acquired.lease;
    // Beginning anew in the same process after an outage says nothing of the messages (law 10).
    const counts = !this.#seen.has(partition);
    this.#seen.add(partition);
    const session = new PartitionSession(this.#parts, acquired, counts, this.#onRoom);
    const ended = session.run().then((end) => this.#ended(session, end));
    this.#owned.set(partition, { session, ended, renewedAt: since, renewing: false });
  }

  async #ended(session: PartitionSession, end: SessionEnd): Promise<void> {
    const { partition } = session.lease;
    const isOurs = this.#owned.get(partition)?.session === session;
    if (end === 'failed' && isOurs) this.#postpone(partition, session.failure);
    else {
      this.#failures.delete(partition);
      this.#seen.delete(partition);
    }
    const released = end === 'stale' ? undefined : this.#release(session);
    // Whoever comes next, this node too, need not wait for the lease to end; and it not for a log that does not answer.
    if (end === 'stopped' || !this.#running) await released;
    if (this.#owned.get(partition)?.session === session) this.#owned.delete(partition);
    if (end === 'failed') this.#wakeRounds?.();
  }

  #postpone(partition: number, failure: Error | null): void {
    const { tuning, clock } = this.#parts;
    const now = clock.monotonic();
    const before = this.#failures.get(partition);
    const tries = (before?.tries ?? 0) + 1;
    const waitMs = Math.min(tuning.backoffMs[1], tuning.backoffMs[0] * 2 ** Math.min(tries - 1, 20));
    const isExplained = failure instanceof LogUnavailable || this.#fitness.storeIsSilent;
    const last = (!isExplained && before?.unexplained) || { count: 0, sinceMs: now, saves: this.#watch.saves };
    const unexplained = { ...last, count: isExplained ? 0 : last.count + 1 };
    this.#failures.set(partition, { tries, notBefore: now + waitMs, unexplained });
    // A session that then holds for a while clears the count.
    clock.after(4 * tuning.leaseTtlMs, () => {
      if (this.#failures.get(partition)?.tries === tries) this.#failures.delete(partition);
    });
    const { count, sinceMs, saves } = unexplained;
    if (count < tuning.declineAfter || now - sinceMs < tuning.storeSilenceMs) return;
    if (failure instanceof StoreUnavailable && this.#watch.saves === saves) this.#fitness.noteSessionsFail();
    else if (this.#othersCanHold(partition)) this.#decline(partition, count);
  }

  #decline(partition: number, failures: number): void {
    const forMs = this.#declines.add(partition);
    this.#failures.delete(partition);
    this.#seen.delete(partition);
    this.#parts.logger.warn({ partition, failures, forMs }, 'sessions fail here in a row: another member is to try');
  }

  /** One line for all: with the whole log away, it is away for each partition. */
  #sayWhatIsAway(): void {
    if (this.#away.size === 0) return;
    const partitions = [...this.#away.keys()].filter((partition) => partition !== null);
    const [error] = this.#away.values();
    this.#parts.logger.warn({ partitions, error }, 'placement could not reach the log');
    this.#away.clear();
  }

  #gauge(): void {
    const { metrics } = this.#parts;
    metrics.partitionsOwned.set(this.#owned.size);
    let activations = 0;
    for (const { session } of this.#owned.values()) activations += session.activeActors;
    metrics.activations.set(activations);
  }
}
