import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

const CALIBRATED_IDS = 100_000;
const IDS_AT_ONCE = 10_000;
/** As long as a tracking id. */
const ID_BYTES = 16;

/**
 * The memory that ids of impressions take in Redis, which keeps them for the render window and one hour. Redis's own
 * count of a set leaves out what its allocator rounds up for each entry: how much it takes is measured first.
 */
export class KeptIds {
  readonly #redis: Redis;
  /** Bytes taken for each byte that `MEMORY USAGE` counts. */
  readonly #taken: number;

  private constructor(redis: Redis, taken: number) {
    this.#redis = redis;
    this.#taken = taken;
  }

  /** Fills a set, and compares what Redis has taken for it with what it counts. */
  static async calibrated(redis: Redis): Promise<KeptIds> {
    const key = `calibration-${randomUUID()}`;
    const before = await usedBytes(redis);
    for (let added = 0; added < CALIBRATED_IDS; added += IDS_AT_ONCE) {
      const ids = Array.from({ length: IDS_AT_ONCE }, () => randomBytes(ID_BYTES).toString('base64url'));
      await redis.sadd(key, ids);
    }
    const counted = Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
    const taken = (await usedBytes(redis)) - before;
    await redis.unlink(key);
    return new KeptIds(redis, taken / counted);
  }

  /** All memory of Redis but that of the ids kept under the prefix, and that of these. */
  async usage(prefix: string): Promise<{ readonly others: number; readonly kept: number }> {
    let counted = 0;
    for await (const keys of this.#redis.scanStream({ match: `*${prefix}*`, count: 1_000, type: 'set' })) {
      for (const key of keys as string[]) counted += Number(await this.#redis.memory('USAGE', key, 'SAMPLES', 0));
    }
    const kept = counted * this.#taken;
    return { others: (await usedBytes(this.#redis)) - kept, kept };
  }
}

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
}
