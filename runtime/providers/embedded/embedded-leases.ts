import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import type { AcquiredPartition, Lease, LeaseTable, Member, MemberCondition } from '../../ports/leases.ts';
import { type Position, START } from '../../ports/position.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { CommitGroup } from './commit-group.ts';
import type { Partition } from './partition.ts';

/**
 * Leases of the one process that has locked the folder. Epochs, cursors and notes are on disk. The times of leases and
 * members are only in memory, because both end with the process: after a restart every partition is free at once.
 */
export class EmbeddedLeases implements LeaseTable {
  readonly #partitions: readonly Partition[];
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  readonly #members = new Map<string, { readonly untilMs: number; readonly condition: MemberCondition }>();

  constructor(partitions: readonly Partition[], group: CommitGroup, clock: Clock) {
    this.#partitions = partitions;
    this.#group = group;
    this.#clock = clock;
  }

  async heartbeat(member: string, ttlMs: number, condition: MemberCondition): Promise<Member[]> {
    this.#checkOpen();
    const nowMs = this.#clock.monotonic();
    this.#members.set(member, { untilMs: nowMs + ttlMs, condition });
    for (const [name, { untilMs }] of this.#members) if (untilMs <= nowMs) this.#members.delete(name);
    return [...this.#members.keys()].sort().map((name) => {
      const { untilMs, condition: said } = this.#members.get(name)!;
      return { name, condition: said, leftMs: untilMs - nowMs };
    });
  }

  async leave(member: string): Promise<void> {
    this.#checkOpen();
    this.#members.delete(member);
  }

  acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<AcquiredPartition[]> {
    return this.#group.write(() => {
      const nowMs = this.#clock.monotonic();
      const acquired: AcquiredPartition[] = [];
      for (const number of partitions) {
        const partition = this.#partitions[number];
        if (!partition || (partition.owner !== owner && partition.leaseEndsMs > nowMs)) continue;
        partition.owner = owner;
        partition.epoch += 1;
        partition.leaseEndsMs = nowMs + ttlMs;
        partition.touch();
        const { epoch, cursor, last, note } = partition;
        acquired.push({ lease: { partition: number, owner, epoch }, cursor, last, note });
      }
      return acquired;
    }, LogUnavailable);
  }

  async renew(leases: readonly Lease[], ttlMs: number): Promise<Lease[]> {
    this.#checkOpen();
    const nowMs = this.#clock.monotonic();
    return leases.filter((lease) => {
      const partition = this.#held(lease);
      if (partition) partition.leaseEndsMs = nowMs + ttlMs;
      return partition !== undefined;
    });
  }

  async release(lease: Lease): Promise<void> {
    this.#checkOpen();
    const partition = this.#held(lease);
    if (!partition) return;
    partition.owner = '';
    partition.leaseEndsMs = Number.NEGATIVE_INFINITY;
  }

  cursors(partitions: readonly number[]): Promise<Position[]> {
    // The read is part of a group: cursors that an earlier group has moved are on disk when this one is.
    return this.#group.write(
      () => partitions.map((number) => this.#partitions[number]?.cursor ?? START),
      LogUnavailable,
    );
  }

  tokens(partitions: readonly number[]): Promise<StoreToken[]> {
    return this.#group.write(() => partitions.map((number) => this.#partitions[number]?.token ?? ''), LogUnavailable);
  }

  commit(lease: Lease, cursor: Position, token: StoreToken = ''): Promise<boolean> {
    return this.#whenHeld(lease, (partition) => {
      partition.keepToken(token);
      partition.commit(cursor);
    });
  }

  note(lease: Lease, note: string): Promise<boolean> {
    return this.#whenHeld(lease, (partition) => {
      partition.note = note;
      partition.touch();
    });
  }

  raise(lease: Lease, position: Position): Promise<boolean> {
    return this.#whenHeld(lease, (partition) => partition.raise(position));
  }

  #whenHeld(lease: Lease, change: (partition: Partition) => void): Promise<boolean> {
    return this.#group.write(() => {
      const partition = this.#held(lease);
      if (partition) change(partition);
      return partition !== undefined;
    }, LogUnavailable);
  }

  /** The partition, if the lease's epoch is the highest assigned and the lease was not released. */
  #held({ partition: number, owner, epoch }: Lease): Partition | undefined {
    const partition = this.#partitions[number];
    return partition?.epoch === epoch && partition.owner === owner ? partition : undefined;
  }

  #checkOpen(): void {
    const refusal = this.#group.refusal;
    if (refusal) throw new LogUnavailable(refusal.message, { cause: refusal });
  }
}
