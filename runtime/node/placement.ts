import type { Acquired } from '../ports/leases.ts';
import { assignPartitions } from './assign-partitions.ts';
import { backoff } from './backoff.ts';
import type { NodeParts } from './node-parts.ts';
import { PartitionSession } from './partition-session.ts';

interface Owned {
  readonly session: PartitionSession;
  readonly ended: Promise<void>;
}

/**
 * Which partitions this node owns. Every living member computes the same wish for each partition
 * (`assignPartitions`), so that a join or a leave moves few; leases make it true.
 */
export class Placement {
  readonly #parts: NodeParts;
  readonly #onRoom: () => void;
  readonly #owned = new Map<number, Owned>();
  /** Partitions whose last session failed: how often in a row, and not before when to try again. */
  readonly #failures = new Map<number, { count: number; notBefore: number }>();
  readonly #seen = new Set<number>();
  #running = false;
  #round: Promise<void> = Promise.resolve();
  #wakeRounds: (() => void) | null = null;
  #renewedAt = 0;

  constructor(parts: NodeParts, onRoom: () => void) {
    this.#parts = parts;
    this.#onRoom = onRoom;
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
    this.#renewedAt = this.#parts.clock.monotonic();
    await this.#look();
    this.#round = this.#rounds();
  }

  /** Hands all partitions over: each session handles, saves and commits what it holds, then its lease is released. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#wakeRounds?.();
    await this.#round;
    for (const { session } of this.#owned.values()) session.stop();
    await Promise.all([...this.#owned.values()].map(({ ended }) => ended));
    await this.#parts.provider.leases.leave(this.#parts.incarnation).catch(() => {});
  }

  async #rounds(): Promise<void> {
    const { clock, tuning } = this.#parts;
    for (;;) {
      const waitMs = this.#nextTryMs() ?? tuning.placementIntervalMs;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(Math.min(waitMs, tuning.placementIntervalMs), resolve);
        this.#wakeRounds = () => {
          cancel();
          resolve();
        };
      });
      if (!this.#running) return;
      await this.#look();
    }
  }

  #nextTryMs(): number | null {
    const now = this.#parts.clock.monotonic();
    let nextMs: number | null = null;
    // What was due has been tried in the last round, or is not wanted here any more.
    for (const { notBefore } of this.#failures.values()) {
      if (notBefore > now) nextMs = Math.min(nextMs ?? Infinity, notBefore - now);
    }
    return nextMs;
  }

  async #look(): Promise<void> {
    const { provider, incarnation, tuning, clock, logger, metrics } = this.#parts;
    try {
      const members = await provider.leases.heartbeat(incarnation, tuning.leaseTtlMs);
      await this.#renew();
      const wishes = new Set<number>();
      const candidates = members.map((name) => ({ name, declines: [] }));
      for (const [partition, name] of assignPartitions(this.#parts.kinds.partitions, candidates).entries()) {
        if (name === incarnation) wishes.add(partition);
      }
      for (const [partition, { session }] of this.#owned) if (!wishes.has(partition)) session.stop();
      const now = clock.monotonic();
      const wanted = [...wishes].filter(
        (partition) => !this.#owned.has(partition) && (this.#failures.get(partition)?.notBefore ?? 0) <= now,
      );
      if (wanted.length > 0 && (this.#running as boolean)) {
        for (const acquired of await provider.leases.acquire(wanted, incarnation, tuning.leaseTtlMs)) {
          this.#begin(acquired);
        }
      }
      await Promise.all([...this.#owned.values()].map(({ session }) => session.checkTail()));
    } catch (error) {
      logger.warn({ error: String(error) }, 'placement could not reach the log');
      this.#loseExpired();
      await backoff(clock, 0, tuning.backoffMs);
    }
    metrics.partitionsOwned.set(this.#owned.size);
    let activations = 0;
    for (const { session } of this.#owned.values()) activations += session.activeActors;
    metrics.activations.set(activations);
  }

  async #renew(): Promise<void> {
    const { provider, tuning, clock } = this.#parts;
    const since = clock.monotonic();
    const owned = [...this.#owned.values()];
    if (owned.length > 0) {
      const kept = await provider.leases.renew(
        owned.map(({ session }) => session.lease),
        tuning.leaseTtlMs,
      );
      const keptEpochs = new Set(kept.map(({ partition, epoch }) => `${partition}:${epoch}`));
      for (const { session } of owned) {
        if (!keptEpochs.has(`${session.lease.partition}:${session.lease.epoch}`)) session.abandon();
      }
    }
    this.#renewedAt = since;
  }

  /** A lease that could not be renewed for its whole time may be another's by now. */
  #loseExpired(): void {
    if (this.#parts.clock.monotonic() - this.#renewedAt < this.#parts.tuning.leaseTtlMs) return;
    for (const { session } of this.#owned.values()) session.abandon();
  }

  #begin(acquired: Acquired): void {
    const { partition } = acquired.lease;
    // Beginning anew in the same process after an outage says nothing of the messages (law 10).
    const counts = !this.#seen.has(partition);
    this.#seen.add(partition);
    const session = new PartitionSession(this.#parts, acquired, counts, this.#onRoom);
    const ended = session.run().then(async (end) => {
      if (end === 'failed') this.#postpone(partition);
      else {
        this.#failures.delete(partition);
        this.#seen.delete(partition);
        if (end === 'stopped') await this.#parts.provider.leases.release(acquired.lease).catch(() => {});
      }
      if (this.#owned.get(partition)?.session === session) this.#owned.delete(partition);
      if (end === 'failed') this.#wakeRounds?.();
    });
    this.#owned.set(partition, { session, ended });
  }

  #postpone(partition: number): void {
    const { tuning, clock } = this.#parts;
    const count = (this.#failures.get(partition)?.count ?? 0) + 1;
    const waitMs = Math.min(tuning.backoffMs[1], tuning.backoffMs[0] * 2 ** Math.min(count - 1, 20));
    this.#failures.set(partition, { count, notBefore: clock.monotonic() + waitMs });
    // A session that then holds for a while clears the count.
    clock.after(tuning.leaseTtlMs, () => {
      if (this.#failures.get(partition)?.count === count) this.#failures.delete(partition);
    });
  }
}
