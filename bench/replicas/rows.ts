import { randomUUID } from 'node:crypto';
import { measured } from '../actors/measured.ts';
import type { MessageRate } from '../actors/message-rate.ts';
import { ClosedLoop } from '../http/closed-loop.ts';
import { billed, makePublisher, rateOf, untilKnown } from '../impressions/confirmed.ts';
import { trackingCalls } from '../impressions/tracking-calls.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { hasRedis, type RedisForBench, startReplicated } from '../processes/redis.ts';
import { perSecond, type Row, skipped, times } from '../row.ts';
import { median } from '../statistics.ts';

const REPLICAS = 2;
const MESSAGES = 100_000;
const MESSAGES_IN_FLIGHT = 5_000;
const CALLS_IN_FLIGHT = 64;
const WARM_UP_SECONDS = 3;
const WINDOW_SECONDS = 4;
/** More calls than any window uses. */
const CALLS_PER_WINDOW = 30_000 * WINDOW_SECONDS;

/** Measures the cost of waiting for replicas, against the same servers without waiting. */
export async function replicaRows(rounds: number): Promise<Row[]> {
  if (!hasRedis()) return [skipped('Redis with replicas', 'redis-server')];
  const redis = await startReplicated(REPLICAS);
  try {
    return [await messages(redis, rounds), await impressions(redis, rounds)];
  } finally {
    await redis.stop();
  }
}

async function messages({ url }: RedisForBench, rounds: number): Promise<Row> {
  const rate = async (waitReplicas: number) => {
    const pair = { redisUrl: url, mongodbUrl: null, waitReplicas };
    const answer: MessageRate = await measured({
      measure: 'rate',
      pair,
      messages: MESSAGES,
      inFlight: MESSAGES_IN_FLIGHT,
    });
    return answer.messagesPerSecond;
  };
  const waiting: number[] = [];
  const careless: number[] = [];
  for (let round = 0; round < rounds; round++) {
    careless.push(await rate(0));
    waiting.push(await rate(REPLICAS));
  }
  return compared(`actor messages, ${REPLICAS} replicas waited for`, waiting, careless);
}

async function impressions({ url }: RedisForBench, rounds: number): Promise<Row> {
  const edges = { careless: await startEdge(url, 0), waiting: await startEdge(url, REPLICAS) };
  try {
    const waiting: number[] = [];
    const careless: number[] = [];
    for (let round = 0; round < rounds; round++) {
      careless.push(await edges.careless.rate(WINDOW_SECONDS));
      waiting.push(await edges.waiting.rate(WINDOW_SECONDS));
    }
    for (const edge of Object.values(edges)) await edge.billed();
    return compared(`impressions confirmed durable, ${REPLICAS} replicas waited for`, waiting, careless);
  } finally {
    for (const edge of Object.values(edges)) await edge.stop();
  }
}

async function startEdge(redisUrl: string, waitReplicas: number) {
  const exchange = await startExchange(MEASURED_CORE, {
    ...{ REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, REDIS_WAIT_REPLICAS: `${waitReplicas}` },
  });
  const publisher = await makePublisher(exchange);
  const loop = await ClosedLoop.open(exchange.edgePort, CALLS_IN_FLIGHT);
  let answered = await untilKnown(exchange, publisher.id);
  const rate = async (seconds: number) => {
    const calls = trackingCalls(exchange, publisher.id, CALLS_PER_WINDOW);
    const result = await loop.run(seconds, () => calls.pop() ?? null);
    answered += result.answered;
    return rateOf(result);
  };
  await rate(WARM_UP_SECONDS);
  return {
    rate,
    billed: () => billed(exchange, publisher.id, answered),
    async stop() {
      loop.close();
      await exchange.stop();
    },
  };
}

function compared(what: string, waiting: readonly number[], careless: readonly number[]): Row {
  return {
    what,
    figure: perSecond(median(waiting)),
    floor: `${perSecond(median(careless))} without waiting`,
    ratio: times(median(waiting.map((rate, round) => rate / careless[round]!))),
    target: 'report',
    reached: null,
  };
}
