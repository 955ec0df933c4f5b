import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { adRequest, posted } from '../auctions/documents.ts';
import { createMarket } from '../auctions/market.ts';
import { HttpConnection } from '../http/connection.ts';
import { getOf } from '../impressions/tracking-calls.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { megabytes, type Row, skipped, times } from '../row.ts';
import { median } from '../statistics.ts';
import { KeptIds } from './kept-ids.ts';

const BIDDERS = 2;
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
  const prefix = `bench-${randomUUID()}`;
  const redis = new Redis(redisUrl);
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  let exchange: ExchangeProcess | null = null;
  try {
    const { ports } = await bidding.next();
    exchange = await startExchange(MEASURED_CORE, { REDIS_URL: redisUrl, REDIS_PREFIX: prefix });
    const publisherId = await createMarket(exchange, 'growth', ports);
    const keptIds = await KeptIds.calibrated(redis);
    const samples: Sample[] = [];
    const endMs = performance.now() + (SETTLE_SECONDS + minutes * 60) * 1000;
    const load = sellSteadily(exchange.edgePort, posted('/rtb', adRequest(publisherId)), endMs);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_SECONDS * 1000));
    while (performance.now() < endMs) {
      samples.push(await sample(redis, keptIds, prefix));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
    const sold = await load;
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
  } finally {
    await exchange?.stop();
    await bidding.stop();
    redis.disconnect();
  }
}

/** Runs one auction every few ms until `endMs`, and calls its pixel at once; answers the number of sales. */
async function sellSteadily(port: number, next: () => Buffer, endMs: number): Promise<number> {
  const connection = await HttpConnection.open(port);
  const startedMs = performance.now();
  let auctions = 0;
  let sold = 0;
  while (performance.now() < endMs) {
    const { status, body } = await connection.ask(next());
    auctions += 1;
    if (status === 200) {
      await connection.ask(getOf(JSON.parse(body.toString()).seatbid[0].bid[0].burl));
      sold += 1;
    }
    const waitMs = startedMs + (auctions * 1000) / AUCTIONS_PER_SECOND - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  connection.close();
  return sold;
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
