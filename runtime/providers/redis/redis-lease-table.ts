import type { Acquired, Lease, LeaseTable } from '../../ports/leases.ts';
import { type Position, positionOf, positionSequence, positionTimeMs, START } from '../../ports/position.ts';
import type { Keys } from './keys.ts';
import type { Route, Routes } from './routes.ts';

/** Leases in a hash beside each partition's stream; every change is a script that checks the epoch. */
export class RedisLeaseTable implements LeaseTable {
  readonly #routes: Routes;
  readonly #keys: Keys;

  constructor(routes: Routes, keys: Keys) {
    this.#routes = routes;
    this.#keys = keys;
  }

  async heartbeat(member: string, ttlMs: number): Promise<string[]> {
    const key = this.#keys.members();
    const members = await this.#routes.of(key).run((commands) => commands.heartbeat(key, member, ttlMs));
    return members.sort();
  }

  async leave(member: string): Promise<void> {
    const key = this.#keys.members();
    await this.#routes.of(key).run((commands) => commands.zrem(key, member));
  }

  async acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<Acquired[]> {
    const answers = await Promise.all(
      partitions.map(async (partition): Promise<Acquired | undefined> => {
        const answer = await this.#of(partition).covered((commands) =>
          commands.acquireLease(this.#keys.lease(partition), this.#keys.stream(partition), owner, ttlMs),
        );
        if (!answer) return undefined;
        const [epoch, cursor, last, note] = answer;
        return { lease: { partition, owner, epoch: Number(epoch) }, cursor, last, note };
      }),
    );
    return answers.filter((acquired) => acquired !== undefined);
  }

  async renew(leases: readonly Lease[], ttlMs: number): Promise<Lease[]> {
    const held = await Promise.all(
      leases.map(({ partition, owner, epoch }) =>
        this.#of(partition).run((commands) => commands.renewLease(this.#keys.lease(partition), owner, epoch, ttlMs)),
      ),
    );
    return leases.filter((_, at) => held[at] === 1);
  }

  async release({ partition, epoch }: Lease): Promise<void> {
    await this.#of(partition).run((commands) => commands.releaseLease(this.#keys.lease(partition), epoch));
  }

  cursors(partitions: readonly number[]): Promise<Position[]> {
    return Promise.all(
      partitions.map(async (partition) => {
        const cursor = await this.#of(partition).covered((commands) =>
          commands.hget(this.#keys.lease(partition), 'cursor'),
        );
        return cursor ?? START;
      }),
    );
  }

  async commit({ partition, epoch }: Lease, cursor: Position): Promise<boolean> {
    const timeMs = positionTimeMs(cursor);
    const sequence = positionSequence(cursor);
    const keepFrom = positionOf(timeMs, sequence + 1);
    const moved = await this.#of(partition).run((commands) =>
      commands.commitCursor(
        this.#keys.lease(partition),
        this.#keys.stream(partition),
        epoch,
        timeMs,
        sequence,
        keepFrom,
      ),
    );
    return moved === 1;
  }

  async note({ partition, epoch }: Lease, note: string): Promise<boolean> {
    const kept = await this.#of(partition).covered((commands) =>
      commands.keepNote(this.#keys.lease(partition), epoch, note),
    );
    return kept === 1;
  }

  async raise({ partition, epoch }: Lease, position: Position): Promise<boolean> {
    const raised = await this.#of(partition).covered((commands) =>
      commands.raisePositions(this.#keys.lease(partition), this.#keys.stream(partition), epoch, position),
    );
    return raised === 1;
  }

  #of(partition: number): Route {
    return this.#routes.of(this.#keys.lease(partition));
  }
}
