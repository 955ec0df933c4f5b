import type { Redis } from 'ioredis';
import { megabytes, type Row, skipped, times } from '../row.ts';
import { sell, withSellingExchange } from '../soak/sales.ts';
import { median } from '../statistics.ts';
import { KeptIds } from './kept-ids.ts';

const AUCTIONS_PER_SECOND = 200;
const SETTLE_SECONDS = 10;
const SAMPLE_EVERY_MS = 2_000;
/** The last fifth of the run may hold at most this many times the memory of the first. */
const FLAT = 1.1;

interface Sample {
  /** The memory of Redis, less the ids of impressions, which it keeps for the render window and one hour. */
  readonly bytes: number;
  readonly entries: number;
  readonly streamBytes: number;
  readonly keptIdBytes: number;
}

/** Measures Redis under steady auctions whose wins are all rendered: handled entries must not stay. */
export async function redisGrowth(redisUrl: string | null, minutes: number): Promise<Row> {
  const what = `Redis memory, ${minutes} min of ${AUCTIONS_PER_SECOND} auctions and impressions/s`;
  if (!redisUrl) return skipped(what, 'Redis');
  return withSellingExchange(redisUrl, {}, async ({ exchange, redis, prefix, next }) => {
    const keptIds = await KeptIds.calibrated(redis);
    const samples: Sample[] = [];
    const endMs = performance.now() + (SETTLE_SECONDS + minutes * 60) * 1000;
    const takeSamples = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_SECONDS * 1000));
      while (performance.now() < endMs) {
        samples.push(await sample(redis, keptIds, prefix));
        await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
      }
    };
    // Whichever fails first ends the run.
    const [{ sold }] = await Promise.all([sell(exchange.edgePort, next, AUCTIONS_PER_SECOND, endMs), takeSamples()]);
    const fifth = Math.ceil(samples.length / 5);
    const first = median(samples.slice(0, fifth).map(({ bytes }) => bytes));
    const last = median(samples.slice(-fifth).map(({ bytes }) => bytes));
    const mostEntries = Math.max(...samples.map(({ entries }) => entries));
    const { keptIdBytes } = samples.at(-1)!;
    const mostStreamBytes = Math.max(...samples.map(({ streamBytes }) => streamBytes));
    const streams = `streams ≤ ${mostEntries} entries, ${megabytes(mostStreamBytes)}`;
    const detail = `${sold} sold, ${streams}, ids kept: ${megabytes(keptIdBytes)}`;
    return {
      what,
      figure: `${megabytes(last)} (${detail})`,
      floor: `${megabytes(first)} at first`,
      ratio: times(last / first),
      target: `≤ ${times(FLAT)}`,
      reached: last / first <= FLAT,
    };
  });
}

async function sample(redis: Redis, keptIds: KeptIds, prefix: string): Promise<Sample> {
  let entries = 0;
  let streamBytes = 0;
  for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1000, type: 'stream' })) {
    for (const key of keys as string[]) {
      streamBytes += Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
      entries += await redis.xlen(key);
    }
  }
  const { others, kept } = await keptIds.usage(prefix);
  return { bytes: others, entries, streamBytes, keptIdBytes: kept };
}
