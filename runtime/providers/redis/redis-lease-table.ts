import type { AcquiredPartition, Lease, LeaseTable, Member, MemberCondition } from '../../ports/leases.ts';
import { type Position, positionOf, positionSequence, positionTimeMs, START } from '../../ports/position.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { Keys } from './keys.ts';
import type { Route, Routes } from './routes.ts';

/** Stores each lease in a hash beside its partition's stream. Scripts make all changes and check the epoch. */
export class RedisLeaseTable implements LeaseTable {
  readonly #routes: Routes;
  readonly #keys: Keys;

  constructor(routes: Routes, keys: Keys) {
    this.#routes = routes;
    this.#keys = keys;
  }

  async heartbeat(member: string, ttlMs: number, condition: MemberCondition): Promise<Member[]> {
    const unfit = condition.fitness === 'unfit' ? 1 : 0;
    const keys = [this.#keys.members(), this.#keys.unfitMembers(), this.#keys.conditions()] as const;
    const members = await this.#routes
      .of(keys[0])
      .run((commands) => commands.heartbeat(...keys, member, ttlMs, unfit, JSON.stringify(condition)));
    return members
      .map(([name, leftMs, said]) => ({
        name,
        leftMs,
        condition: said === '' ? null : (JSON.parse(said) as MemberCondition),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async leave(member: string): Promise<void> {
    await Promise.all(
      [this.#keys.members(), this.#keys.unfitMembers()].map((key) =>
        this.#routes.of(key).run((commands) => commands.zrem(key, member)),
      ),
    );
  }

  async acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<AcquiredPartition[]> {
    const answers = await Promise.all(
      partitions.map(async (partition): Promise<AcquiredPartition | undefined> => {
        const answer = await this.#routeOf(partition).runReplicated((commands) =>
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
        this.#routeOf(partition).run((commands) =>
          commands.renewLease(this.#keys.lease(partition), owner, epoch, ttlMs),
        ),
      ),
    );
    return leases.filter((_, at) => held[at] === 1);
  }

  async release({ partition, epoch }: Lease): Promise<void> {
    await this.#routeOf(partition).run((commands) => commands.releaseLease(this.#keys.lease(partition), epoch));
  }

  cursors(partitions: readonly number[]): Promise<Position[]> {
    return Promise.all(
      partitions.map(async (partition) => {
        const cursor = await this.#routeOf(partition).runReplicated((commands) =>
          commands.hget(this.#keys.lease(partition), 'cursor'),
        );
        return cursor ?? START;
      }),
    );
  }

  tokens(partitions: readonly number[]): Promise<StoreToken[]> {
    return Promise.all(
      partitions.map(async (partition) => {
        const token = await this.#routeOf(partition).runReplicated((commands) =>
          commands.hget(this.#keys.lease(partition), 'token'),
        );
        return token ?? '';
      }),
    );
  }

  async commit({ partition, epoch }: Lease, cursor: Position, token: StoreToken = ''): Promise<boolean> {
    const timeMs = positionTimeMs(cursor);
    const sequence = positionSequence(cursor);
    const keepFrom = positionOf(timeMs, sequence + 1);
    const moved = await this.#routeOf(partition).run((commands) =>
      commands.commitCursor(
        this.#keys.lease(partition),
        this.#keys.stream(partition),
        epoch,
        timeMs,
        sequence,
        keepFrom,
        token,
      ),
    );
    return moved === 1;
  }

  async note({ partition, epoch }: Lease, note: string): Promise<boolean> {
    const kept = await this.#routeOf(partition).runReplicated((commands) =>
      commands.keepNote(this.#keys.lease(partition), epoch, note),
    );
    return kept === 1;
  }

  async raise({ partition, epoch }: Lease, position: Position): Promise<boolean> {
    const raised = await this.#routeOf(partition).runReplicated((commands) =>
      commands.raisePositions(this.#keys.lease(partition), this.#keys.stream(partition), epoch, position),
    );
    return raised === 1;
  }

  #routeOf(partition: number): Route {
    return this.#routes.of(this.#keys.lease(partition));
  }
}
