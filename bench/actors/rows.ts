import { micros, millis, perSecond, type Row, skipped, times } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { measured } from './measured.ts';
import type { MessageRate } from './message-rate.ts';

const MESSAGES = 150_000;
const MESSAGES_WITH_MONGODB = 30_000;
const IN_FLIGHT = 5_000;
const ASKS = 8_000;
/**
 * Asks after which what they run is compiled: a process that serves for days is measured. Before that, the compiler's
 * thread has its share of the measured core, 4 ms at a time.
 */
const WARM_UP_ASKS = 4_000;
/** The asks of the first seconds, which the row tells of beside the others; the first 200 open files. */
const [FIRST_FROM, FIRST_TO] = [200, 2_000];
const MIN_SHARE_OF_FLOOR = 0.3;
const EMBEDDED_PER_SECOND = 30_000;

export async function messageRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  return [
    redisUrl ? await onRedis(redisUrl, rounds) : skipped('actor messages, Redis + embedded store', 'Redis'),
    redisUrl && mongodbUrl
      ? await onMongodb(redisUrl, mongodbUrl)
      : skipped('actor messages, Redis + MongoDB protocol', 'REDIS_URL and MONGODB_URL'),
    await onEmbedded(rounds),
  ];
}

async function onRedis(redisUrl: string, rounds: number): Promise<Row> {
  const pair = { redisUrl, mongodbUrl: null };
  const rates: MessageRate[] = [];
  const floors: MessageRate[] = [];
  for (let round = 0; round < rounds; round++) {
    const rate: MessageRate = await measured({ measure: 'rate', pair, messages: MESSAGES, inFlight: IN_FLIGHT });
    const batch = Math.round(rate.meanBatch);
    rates.push(rate);
    floors.push(await measured({ measure: 'stream', redisUrl, messages: MESSAGES, batch, inFlight: IN_FLIGHT }));
  }
  const ratio = median(
    rates.map(({ messagesPerSecond }, index) => messagesPerSecond / floors[index]!.messagesPerSecond),
  );
  return {
    what: `actor messages, Redis + embedded store (${Math.round(rates[0]!.meanBatch)} per append)`,
    figure: shown(rates),
    floor: shown(floors),
    ratio: times(ratio),
    target: `≥ ${times(MIN_SHARE_OF_FLOOR)}`,
    reached: ratio >= MIN_SHARE_OF_FLOOR,
  };
}

async function onMongodb(redisUrl: string, mongodbUrl: string): Promise<Row> {
  const pair = { redisUrl, mongodbUrl };
  const rate: MessageRate = await measured({
    measure: 'rate',
    pair,
    messages: MESSAGES_WITH_MONGODB,
    inFlight: IN_FLIGHT,
  });
  return {
    what: 'actor messages, Redis + MongoDB protocol',
    figure: shown([rate]),
    floor: '',
    ratio: '',
    target: 'report',
    reached: null,
  };
}

async function onEmbedded(rounds: number): Promise<Row> {
  const pair = { redisUrl: null, mongodbUrl: null };
  const rates: MessageRate[] = [];
  for (let round = 0; round < rounds; round++) {
    rates.push(await measured({ measure: 'rate', pair, messages: MESSAGES, inFlight: IN_FLIGHT }));
  }
  const rate = median(rates.map(({ messagesPerSecond }) => messagesPerSecond));
  return {
    what: 'actor messages, embedded pair',
    figure: shown(rates),
    floor: '',
    ratio: '',
    target: `≥ ${perSecond(EMBEDDED_PER_SECOND)}`,
    reached: rate >= EMBEDDED_PER_SECOND,
  };
}

function shown(rates: readonly MessageRate[]): string {
  const rate = median(rates.map(({ messagesPerSecond }) => messagesPerSecond));
  return `${perSecond(rate)}, ${micros(median(rates.map(({ cpuMicrosPerMessage }) => cpuMicrosPerMessage)))} CPU`;
}

export async function askRows(redisUrl: string | null): Promise<Row[]> {
  const embedded = await asked('ask, embedded pair, p99', { redisUrl: null, mongodbUrl: null }, 5);
  const what = 'ask, Redis + embedded store, p99';
  return [embedded, redisUrl ? await asked(what, { redisUrl, mongodbUrl: null }, 20) : skipped(what, 'Redis')];
}

async function asked(
  what: string,
  pair: { redisUrl: string | null; mongodbUrl: null },
  toReachMs: number,
): Promise<Row> {
  const all = await measured<number[]>({ measure: 'asks', pair, asks: ASKS });
  const warm = all.slice(WARM_UP_ASKS);
  const p99 = percentile(warm, 0.99);
  const atFirst = percentile(all.slice(FIRST_FROM, FIRST_TO), 0.99);
  const syncs = await measured<number[]>({ measure: 'syncs', syncs: ASKS - WARM_UP_ASKS });
  const floor = `${millis(percentile(syncs, 0.99))} for a write and its sync`;
  return {
    what,
    figure: `${millis(p99)} (p50 ${millis(percentile(warm, 0.5))}; of the first seconds ${millis(atFirst)})`,
    floor,
    ratio: '',
    target: `≤ ${toReachMs} ms`,
    reached: p99 <= toReachMs,
  };
}
