import { Redis } from 'ioredis';
import type { LogProvider } from '#runtime/ports/log-provider';
import { positionOf } from '#runtime/ports/position';
import { eventually } from '../../support/eventually.ts';

/**
 * The log's clock, which a test moves ahead of the machine's: the positions of all partitions are raised, as they are
 * after the loss of a log, so that what is appended next has that time. It never goes back. Leases, deadlines and
 * timers go by the machine's clock as ever.
 */
export class LogClock {
  readonly #provider: LogProvider;
  readonly #redis: Redis;
  readonly #prefix: string;
  #nowMs = 0;

  constructor(provider: LogProvider, redisUrl: string, prefix: string) {
    this.#provider = provider;
    this.#redis = new Redis(redisUrl);
    this.#prefix = prefix;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Resolves when whatever is appended to any partition from now on has a time at or after this. */
  async moveTo(atMs: number): Promise<void> {
    const { partitions } = this.#provider.log;
    await Promise.all(Array.from({ length: partitions }, (_, partition) => this.#raise(partition, atMs)));
    this.#nowMs = atMs;
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** The owner of a partition may change in between, and its epoch with it. */
  async #raise(partition: number, atMs: number): Promise<void> {
    await eventually(`the clock of partition ${partition} to be moved`, async () => {
      const epoch = await this.#redis.hget(`{${this.#prefix}:${partition}}:lease`, 'epoch');
      if (epoch === null) return false;
      return this.#provider.leases.raise({ partition, owner: '', epoch: Number(epoch) }, positionOf(atMs, 0));
    });
  }
}
