import type { Acquired, Lease, LeaseTable } from '../../ports/leases.ts';
import { type Position, positionOf, positionSequence, positionTimeMs, START } from '../../ports/position.ts';
import type { StoreToken } from '../../ports/store-token.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { Requests } from './requests.ts';

/** Leases in a hash beside each partition's stream; every change is a script that checks the epoch. */
export class RedisLeaseTable implements LeaseTable {
  readonly #commands: RedisCommands;
  readonly #requests: Requests;
  readonly #keys: Keys;

  constructor(commands: RedisCommands, requests: Requests, keys: Keys) {
    this.#commands = commands;
    this.#requests = requests;
    this.#keys = keys;
  }

  async heartbeat(member: string, ttlMs: number): Promise<string[]> {
    const members = await this.#requests.run(() => this.#commands.heartbeat(this.#keys.members(), member, ttlMs));
    return members.sort();
  }

  async leave(member: string): Promise<void> {
    await this.#requests.run(() => this.#commands.zrem(this.#keys.members(), member));
  }

  async acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<Acquired[]> {
    const answers = await Promise.all(
      partitions.map(async (partition): Promise<Acquired | undefined> => {
        const answer = await this.#requests.run(() =>
          this.#commands.acquireLease(this.#keys.lease(partition), this.#keys.stream(partition), owner, ttlMs),
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
        this.#requests.run(() => this.#commands.renewLease(this.#keys.lease(partition), owner, epoch, ttlMs)),
      ),
    );
    return leases.filter((_, at) => held[at] === 1);
  }

  async release({ partition, epoch }: Lease): Promise<void> {
    await this.#requests.run(() => this.#commands.releaseLease(this.#keys.lease(partition), epoch));
  }

  cursors(partitions: readonly number[]): Promise<Position[]> {
    return Promise.all(
      partitions.map(async (partition) => {
        const cursor = await this.#requests.run(() => this.#commands.hget(this.#keys.lease(partition), 'cursor'));
        return cursor ?? START;
      }),
    );
  }

  tokens(partitions: readonly number[]): Promise<StoreToken[]> {
    return Promise.all(
      partitions.map(async (partition) => {
        const token = await this.#requests.run(() => this.#commands.hget(this.#keys.lease(partition), 'token'));
        return token ?? '';
      }),
    );
  }

  async commit({ partition, epoch }: Lease, cursor: Position, token: StoreToken = ''): Promise<boolean> {
    const timeMs = positionTimeMs(cursor);
    const sequence = positionSequence(cursor);
    const keepFrom = positionOf(timeMs, sequence + 1);
    const moved = await this.#requests.run(() =>
      this.#commands.commitCursor(
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
    const kept = await this.#requests.run(() => this.#commands.keepNote(this.#keys.lease(partition), epoch, note));
    return kept === 1;
  }

  async raise({ partition, epoch }: Lease, position: Position): Promise<boolean> {
    const raised = await this.#requests.run(() =>
      this.#commands.raisePositions(this.#keys.lease(partition), this.#keys.stream(partition), epoch, position),
    );
    return raised === 1;
  }
}
