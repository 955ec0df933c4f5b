import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

const CALIBRATED_IDS = 400_000;
const IDS_AT_ONCE = 10_000;
/** As long as a tracking id. */
const ID_BYTES = 16;
/** An allocator rounds up to a multiple of this. */
const QUANTUM_BYTES = 8;

/**
 * The memory that ids of impressions take in Redis, which keeps them for the render window and one hour. Redis's own
 * count of a set leaves out what its allocator rounds up for each entry: how much it takes is measured first.
 */
export class KeptIds {
  readonly #redis: Redis;
  /** Bytes taken for an id beyond those that `MEMORY USAGE` counts; tables of sets are counted exactly. */
  readonly #uncountedPerId: number;

  private constructor(redis: Redis, uncountedPerId: number) {
    this.#redis = redis;
    this.#uncountedPerId = uncountedPerId;
  }

  /**
   * Fills a set, and compares what Redis takes for more of its ids with what it counts for them. The first ids are not
   * compared: with them Redis makes room for commands of this length.
   */
  static async calibrated(redis: Redis): Promise<KeptIds> {
    const key = `calibration-${randomUUID()}`;
    await addIds(redis, key);
    const before = await uncountedBytes(redis, key);
    for (let added = 0; added < CALIBRATED_IDS; added += IDS_AT_ONCE) await addIds(redis, key);
    const after = await uncountedBytes(redis, key);
    await redis.unlink(key);
    // What else Redis takes meanwhile is much less than one quantum for each id, and would count millions of times.
    return new KeptIds(redis, QUANTUM_BYTES * Math.round((after - before) / CALIBRATED_IDS / QUANTUM_BYTES));
  }

  /** All memory of Redis but that of the ids kept under the prefix, and that of these. */
  async usage(prefix: string): Promise<{ readonly others: number; readonly kept: number }> {
    let kept = 0;
    for await (const keys of this.#redis.scanStream({ match: `*${prefix}*`, count: 1_000, type: 'set' })) {
      for (const key of keys as string[]) {
        kept += await countedBytes(this.#redis, key);
        kept += (await this.#redis.scard(key)) * this.#uncountedPerId;
      }
    }
    return { others: (await usedBytes(this.#redis)) - kept, kept };
  }
}

async function addIds(redis: Redis, key: string): Promise<void> {
  const ids = Array.from({ length: IDS_AT_ONCE }, () => randomBytes(ID_BYTES).toString('base64url'));
  await redis.sadd(key, ids);
}

async function uncountedBytes(redis: Redis, key: string): Promise<number> {
  return (await usedBytes(redis)) - (await countedBytes(redis, key));
}

async function countedBytes(redis: Redis, key: string): Promise<number> {
  return Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
}

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
}
