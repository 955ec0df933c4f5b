import { LogUnavailable, StoreUnavailable } from '../ports/errors.ts';
import type { AcquiredPartition, Member } from '../ports/leases.ts';
import { afterAnswers } from './after-answers.ts';
import { DeclinedPartitions } from './declined-partitions.ts';
import { desiredPartitions } from './desired-partitions.ts';
import { Fitness } from './fitness.ts';
import type { NodeDeps } from './node-deps.ts';
import { PartitionSession } from './partition-session.ts';
import type { SessionEnd } from './session-end.ts';
import type { StoreWatch } from './store-watch.ts';

/** The interval of placement rounds while leases end and are handed over. */
const FAST_ROUND_MS = 100;
/** The interval of placement rounds while a member is doubtful. */
const DOUBT_MS = 250;
/**
 * The margin after which another member's expiry is checked: the log's clock decides, and its answer has been under way
 * for a while.
 */
const OVERDUE_MS = 20;

interface OwnedPartition {
  readonly session: PartitionSession;
  readonly ended: Promise<void>;
  /** When the last request that renewed the lease was sent, monotonic ms. */
  renewedAt: number;
  /** When the later requests were sent, which have failed or have no answer yet. */
  unanswered: readonly number[];
}

interface SessionFailures {
  readonly tries: number;
  readonly notBefore: number;
  /**
   * The failures in a row that are not explained by an outage of the store or the log: their number, when they began,
   * and how many saves this node had made then.
   */
  readonly unexplained: { readonly count: number; readonly sinceMs: number; readonly saves: number };
}

/**
 * Decides which partitions this node owns. Every living member computes the same desired owner for each partition
 * (`desiredPartitions`), so that a join or a leave moves few partitions; leases put the result into effect. No
 * partition waits for another: if the log answers for only some partitions, those continue.
 */
export class Placement {
  readonly #deps: NodeDeps;
  readonly #watch: StoreWatch;
  readonly #onCapacity: () => void;
  readonly #fitness: Fitness;
  readonly #declined: DeclinedPartitions;
  readonly #owned = new Map<number, OwnedPartition>();
  /** Sessions whose lease was released while they still wait for a response of the store or the log. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #acquiring = new Map<number, Promise<void>>();
  /** Partitions whose last session failed. */
  readonly #failures = new Map<number, SessionFailures>();
  /** Partitions whose ownership by this process is noted, by a session that failed. */
  readonly #noted = new Set<number>();
  /** The notes of the last sessions whose leases were given up. */
  readonly #lastNotes = new Map<number, string>();
  #desired: ReadonlySet<number> = new Set();
  /** The living members and their conditions. */
  #members: readonly Member[] = [];
  #membersKey = '';
  #heartbeatAt: number;
  /** The members that a heartbeat returns are ignored until this time: after an outage members come back one by one. */
  #believedFrom = Number.NEGATIVE_INFINITY;
  #heartbeating: Promise<void> | null = null;
  #fastRoundsUntil = 0;
  #nextExpiryAt = Number.POSITIVE_INFINITY;
  #renewalsDueAt = 0;
  /** The partitions that could not be reached since the last round, or null for the members, with the last reason. */
  readonly #unreachable = new Map<number | null, string>();
  #running = false;
  #round: Promise<void> = Promise.resolve();
  #wakeRounds: (() => void) | null = null;

  constructor(parts: NodeDeps, watch: StoreWatch, onCapacity: () => void) {
    this.#deps = parts;
    this.#watch = watch;
    this.#onCapacity = onCapacity;
    this.#heartbeatAt = parts.clock.monotonic();
    this.#declined = new DeclinedPartitions(parts.clock, parts.tuning);
    const probe = () => watch.store.highWater({ partition: 0 });
    this.#fitness = new Fitness(parts, watch, probe, () => this.#wakeRounds?.());
  }

  *sessions(): Iterable<PartitionSession> {
    for (const { session } of this.#owned.values()) yield session;
  }

  get ownedPartitions(): number[] {
    return [...this.#owned.keys()];
  }

  /** Resolves when the first round of acquisitions has ended. */
  async start(): Promise<void> {
    this.#running = true;
    this.#heartbeatAt = this.#deps.clock.monotonic();
    this.#fitness.start();
    await this.#heartbeat();
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
    await this.#heartbeating;
    await Promise.all(this.#acquiring.values());
    for (const { session } of this.#owned.values()) session.stop();
    await Promise.all([...this.#owned.values()].map(({ ended }) => ended));
    await Promise.all(this.#leaving);
    await this.#deps.provider.leases.leave(this.#deps.incarnation).catch(() => {});
  }

  async #rounds(): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      const waitMs = this.#nextRoundMs();
      await new Promise<void>((resolve) => {
        const cancel = afterAnswers(clock, waitMs, resolve);
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
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    let waitMs = Math.min(tuning.placementIntervalMs, this.#nextExpiryAt - now);
    // Partitions that were due were tried in the last round, or this node does not want them any more.
    for (const { notBefore } of this.#failures.values())
      if (notBefore > now) waitMs = Math.min(waitMs, notBefore - now);
    if (now < this.#fastRoundsUntil && this.#wanted().length > 0) waitMs = Math.min(waitMs, FAST_ROUND_MS);
    const inDoubt = this.#members.some(({ condition }) => condition?.fitness === 'doubtful');
    if (inDoubt || this.#fitness.fitness === 'doubtful') waitMs = Math.min(waitMs, DOUBT_MS);
    return Math.max(waitMs, 1);
  }

  /** Starts what is due without waiting for it: some of it may wait for a part of the log that is unavailable. */
  #look(): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    this.#logUnreachable();
    this.#loseExpired();
    if (now >= this.#renewalsDueAt) {
      this.#renewalsDueAt = now + tuning.placementIntervalMs / 2;
      for (const [partition, owned] of this.#owned) {
        void this.#renew(owned);
        owned.session.checkTail().catch((error) => this.#unreachable.set(partition, String(error)));
      }
    }
    this.#nextExpiryAt = Number.POSITIVE_INFINITY;
    void this.#heartbeat();
    this.#gauge();
  }

  /**
   * Abandons sessions whose lease the log has not renewed for its whole time although it was asked, because another
   * node may own the partition by now. Where the process was too busy to ask in time, or the answer is still under way,
   * the log decides: a lease that nobody else has acquired is renewed although its time was over.
   */
  #loseExpired(): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    for (const { session, renewedAt, unanswered } of this.#owned.values()) {
      const [askedAt = now] = unanswered;
      if (Math.min(now - renewedAt, now - askedAt) >= tuning.leaseTtlMs)
        session.abandon('the lease could not be renewed for its whole time');
    }
  }

  /** A request does not wait for the answer of the one before: all of them fail at their deadline. */
  async #renew(owned: OwnedPartition): Promise<void> {
    const { provider, tuning, clock } = this.#deps;
    const { lease } = owned.session;
    const since = clock.monotonic();
    owned.unanswered = [...owned.unanswered, since];
    try {
      const [kept] = await provider.leases.renew([lease], tuning.leaseTtlMs);
      if (!kept) owned.session.abandon('the lease was lost');
      owned.renewedAt = Math.max(owned.renewedAt, since);
      owned.unanswered = owned.unanswered.filter((askedAt) => askedAt > since);
    } catch (error) {
      this.#unreachable.set(lease.partition, String(error));
    }
  }

  /** Reports this node's condition, reads the conditions of the others, and acts on them. */
  async #heartbeat(): Promise<void> {
    this.#heartbeating ??= this.#exchangeHeartbeat().finally(() => {
      this.#heartbeating = null;
    });
    await this.#heartbeating;
  }

  async #exchangeHeartbeat(): Promise<void> {
    const { provider, incarnation, tuning, metrics } = this.#deps;
    const declines = this.#declined.current();
    metrics.partitionsDeclined.set(declines.length);
    const { fitness: said, answers } = this.#fitness;
    try {
      const condition = { fitness: said, declines, answers };
      const members = await provider.leases.heartbeat(incarnation, tuning.leaseTtlMs, condition);
      this.#noteMembers(members);
    } catch (error) {
      // One place stores the members: while it is unavailable every node keeps its partitions.
      this.#unreachable.set(null, String(error));
    }
    if (said !== this.#fitness.fitness) this.#wakeRounds?.();
    if (this.#fitness.fitness === 'unfit') this.#handOver('this node is unfit');
    for (const [partition, { session }] of this.#owned) if (!this.#desired.has(partition)) session.stop();
    if (!(this.#running as boolean)) return;
    for (const partition of this.#wanted()) {
      this.#acquiring.set(
        partition,
        this.#acquire(partition).finally(() => this.#acquiring.delete(partition)),
      );
    }
  }

  #noteMembers(members: readonly Member[]): void {
    const { incarnation, tuning, clock, kinds } = this.#deps;
    const now = clock.monotonic();
    if (now - this.#heartbeatAt >= tuning.leaseTtlMs) this.#believedFrom = now + 2 * tuning.placementIntervalMs;
    this.#heartbeatAt = now;
    if (now < this.#believedFrom) return;
    this.#fitness.noteMembers(members, incarnation);
    this.#members = members;
    this.#desired = desiredPartitions(incarnation, kinds.partitions, members);
    const others = members.filter(({ name }) => name !== incarnation);
    this.#nextExpiryAt = Math.min(...others.map(({ leftMs }) => now + leftMs + OVERDUE_MS));
    const key = members.map(({ name, condition }) => `${name} ${condition?.fitness} ${condition?.declines}`).join();
    if (key !== this.#membersKey) this.#fastRoundsUntil = now + 2 * tuning.leaseTtlMs;
    this.#membersKey = key;
  }

  /** The partitions to acquire now. */
  #wanted(): number[] {
    if (this.#fitness.fitness === 'unfit' && this.#othersCanHold(null)) return [];
    const now = this.#deps.clock.monotonic();
    return [...this.#desired].filter(
      (partition) =>
        !this.#owned.has(partition) &&
        !this.#acquiring.has(partition) &&
        (this.#failures.get(partition)?.notBefore ?? 0) <= now,
    );
  }

  async #acquire(partition: number): Promise<void> {
    const { provider, incarnation, tuning, clock } = this.#deps;
    const since = clock.monotonic();
    try {
      const [acquired] = await provider.leases.acquire([partition], incarnation, tuning.leaseTtlMs);
      if (acquired) this.#begin(acquired, since);
    } catch (error) {
      this.#unreachable.set(partition, String(error));
    }
  }

  /**
   * Gives up all partitions at once: without its store this node can save nothing, and the next owner need not wait for
   * leases to expire.
   */
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
    await this.#deps.provider.leases.release(lease).catch(() => {});
  }

  /** Whether another member could be given the partition, or with null any partition. */
  #othersCanHold(partition: number | null): boolean {
    return this.#members.some(({ name, condition }) => {
      if (name === this.#deps.incarnation || condition?.fitness === 'unfit') return false;
      return partition === null || !condition?.declines.includes(partition);
    });
  }

  #begin(acquired: AcquiredPartition, since: number): void {
    const { partition } = acquired.lease;
    // A new session in the same process after an outage is no evidence against the messages (law 10), and none is one
    // after a lease that it gave up and nobody else acquired.
    const counts = !this.#noted.has(partition) && this.#lastNotes.get(partition) !== acquired.note;
    const session = new PartitionSession(this.#deps, acquired, counts, this.#onCapacity);
    const ended = session.run().then((end) => this.#ended(session, end));
    this.#owned.set(partition, { session, ended, renewedAt: since, unanswered: [] });
  }

  async #ended(session: PartitionSession, end: SessionEnd): Promise<void> {
    const { partition } = session.lease;
    const isOurs = this.#owned.get(partition)?.session === session;
    if (end === 'failed' && isOurs) {
      if (session.note !== null) this.#noted.add(partition);
      this.#postpone(partition, session.failure);
    } else {
      this.#failures.delete(partition);
      this.#noted.delete(partition);
      if (end === 'stale' && session.note !== null) this.#lastNotes.set(partition, session.note);
    }
    const released = end === 'stale' ? undefined : this.#release(session);
    // The next owner, which may be this node, must not wait for the lease to expire, and this method must not wait for
    // a log that does not answer.
    if (end === 'stopped' || !this.#running) await released;
    if (this.#owned.get(partition)?.session === session) this.#owned.delete(partition);
    if (end === 'failed') this.#wakeRounds?.();
  }

  #postpone(partition: number, failure: Error | null): void {
    const { tuning, clock } = this.#deps;
    const now = clock.monotonic();
    const before = this.#failures.get(partition);
    const tries = (before?.tries ?? 0) + 1;
    const waitMs = Math.min(tuning.backoffMs[1], tuning.backoffMs[0] * 2 ** Math.min(tries - 1, 20));
    const isExplained = failure instanceof LogUnavailable || this.#fitness.storeIsSilent;
    const last = (!isExplained && before?.unexplained) || { count: 0, sinceMs: now, saves: this.#watch.saves };
    const unexplained = { ...last, count: isExplained ? 0 : last.count + 1 };
    this.#failures.set(partition, { tries, notBefore: now + waitMs, unexplained });
    // The count of failures is cleared when the following session lasts for a while.
    clock.after(4 * tuning.leaseTtlMs, () => {
      if (this.#failures.get(partition)?.tries === tries) this.#failures.delete(partition);
    });
    const { count, sinceMs, saves } = unexplained;
    if (count < tuning.declineAfter || now - sinceMs < tuning.storeSilenceMs) return;
    if (failure instanceof StoreUnavailable && this.#watch.saves === saves) this.#fitness.noteSessionsFail();
    else if (this.#othersCanHold(partition)) this.#decline(partition, count);
  }

  #decline(partition: number, failures: number): void {
    const forMs = this.#declined.add(partition);
    this.#failures.delete(partition);
    this.#noted.delete(partition);
    this.#deps.logger.warn(
      { partition, failures, forMs },
      'sessions of a partition fail here in a row: another node is to take it',
    );
  }

  /** Logs one line for all: when the whole log is unavailable, it is unavailable for each partition. */
  #logUnreachable(): void {
    if (this.#unreachable.size === 0) return;
    const partitions = [...this.#unreachable.keys()].filter((partition) => partition !== null);
    const [error] = this.#unreachable.values();
    this.#deps.logger.warn({ partitions, error }, 'placement could not reach the log');
    this.#unreachable.clear();
  }

  #gauge(): void {
    const { metrics } = this.#deps;
    metrics.partitionsOwned.set(this.#owned.size);
    let activations = 0;
    for (const { session } of this.#owned.values()) activations += session.activeActors;
    metrics.activations.set(activations);
  }
}
