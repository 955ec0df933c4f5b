import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { ClosedLoop, type LoopResult } from '../http/closed-loop.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, millis, perSecond, type Row, skipped, times } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { getOf, trackingCalls } from './tracking-calls.ts';

const WHAT = 'impressions confirmed durable, one edge';
const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 3;
const WINDOW_SECONDS = 4;
/** More calls than any window uses. */
const CALLS_PER_WINDOW = 30_000 * WINDOW_SECONDS;
const MIN_SHARE_OF_FLOOR = 0.5;
const P99_TARGET_MS = 25;
const MAX_CPU_OF_FLOOR = 2;
const BILLED_WITHIN_MS = 60_000;
const KNOWN_WITHIN_MS = 30_000;

/** Measures calls of the pixel, each for another impression, against a bare Koa with XADD on the same Redis. */
export async function confirmedImpressions(redisUrl: string | null, rounds: number): Promise<Row[]> {
  if (!redisUrl) return [skipped(WHAT, 'Redis')];
  const stream = `bench-${randomUUID()}`;
  const redis = new Redis(redisUrl);
  const floor = startChild<{ port: number }>(MEASURED_CORE, 'impressions/pixel-floor-process.js', { redisUrl, stream });
  let exchange: ExchangeProcess | null = null;
  try {
    const { port } = await floor.next();
    exchange = await startExchange(MEASURED_CORE, { REDIS_URL: redisUrl, REDIS_PREFIX: stream });
    const publisher = await makePublisher(exchange);
    const loops = {
      floor: await ClosedLoop.open(port, IN_FLIGHT),
      exchange: await ClosedLoop.open(exchange.edgePort, IN_FLIGHT),
    };
    const bareCall = getOf(`http://localhost:${port}/`);
    let answered = await untilKnown(exchange, publisher.id);
    const called = async (seconds: number): Promise<LoopResult> => {
      const calls = trackingCalls(exchange!, publisher.id, CALLS_PER_WINDOW);
      const result = await loops.exchange.run(seconds, () => calls.pop() ?? null);
      answered += result.answered;
      return result;
    };
    await loops.floor.run(WARM_UP_SECONDS, () => bareCall);
    await called(WARM_UP_SECONDS);
    await billed(exchange, publisher.id, answered);
    const bare: LoopResult[] = [];
    const confirmed: LoopResult[] = [];
    const cpu = { floor: [] as number[], exchange: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const floorBefore = cpuMicros(floor.pid);
      const ofFloor = await loops.floor.run(WINDOW_SECONDS, () => bareCall);
      cpu.floor.push((cpuMicros(floor.pid) - floorBefore) / ofFloor.answered);
      bare.push(ofFloor);
      // What is confirmed is still to be folded, saved and counted: its cost counts when that is done.
      const before = cpuMicros(exchange.pid);
      const window = await called(WINDOW_SECONDS);
      await billed(exchange, publisher.id, answered);
      cpu.exchange.push((cpuMicros(exchange.pid) - before) / window.answered);
      confirmed.push(window);
      await redis.xtrim(stream, 'MAXLEN', 0);
    }
    for (const loop of Object.values(loops)) loop.close();
    const ratio = median(confirmed.map((result, round) => rateOf(result) / rateOf(bare[round]!)));
    const p99 = percentile(
      confirmed.flatMap(({ timesMs }) => timesMs),
      0.99,
    );
    const cpuRatio = median(cpu.exchange.map((cost, round) => cost / cpu.floor[round]!));
    return [
      {
        what: 'billed impression, CPU until it is folded, saved and counted',
        figure: micros(median(cpu.exchange)),
        floor: `${micros(median(cpu.floor))} of Koa and XADD`,
        ratio: times(cpuRatio),
        target: `≤ ${times(MAX_CPU_OF_FLOOR)}`,
        reached: cpuRatio <= MAX_CPU_OF_FLOOR,
      },
      {
        what: `${WHAT}, ${IN_FLIGHT} in flight`,
        figure: perSecond(median(confirmed.map(rateOf))),
        floor: perSecond(median(bare.map(rateOf))),
        ratio: times(ratio),
        target: `≥ ${times(MIN_SHARE_OF_FLOOR)}`,
        reached: ratio >= MIN_SHARE_OF_FLOOR,
      },
      {
        what: 'the same, p99',
        figure: millis(p99),
        floor: millis(
          percentile(
            bare.flatMap(({ timesMs }) => timesMs),
            0.99,
          ),
        ),
        ratio: '',
        target: `≤ ${P99_TARGET_MS} ms`,
        reached: p99 <= P99_TARGET_MS,
      },
    ];
  } finally {
    await exchange?.stop();
    await floor.stop();
    await redis.del(stream);
    redis.disconnect();
  }
}

export function makePublisher(exchange: ExchangeProcess): Promise<{ readonly id: string }> {
  return exchange.call('POST', '/api/supply/sources', { name: 'impressions', domain: 'games.example', type: 'mobile' });
}

/**
 * Waits until the edge knows the publisher, since it bills nothing for unknown ones. Resolves with the number of
 * impressions it accepted meanwhile.
 */
export async function untilKnown(exchange: ExchangeProcess, publisherId: string): Promise<number> {
  const [call] = trackingCalls(exchange, publisherId, 1);
  const url = `${exchange.edgeUrl}${call!.split(' ')[1]}`;
  const deadlineMs = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status === 200) return 1;
    if (performance.now() > deadlineMs) throw new Error(`the edge does not know the publisher: ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function rateOf({ answered, seconds }: LoopResult): number {
  return answered / seconds;
}

/** Checks with the ledger that each call was billed: the response of the pixel does not tell. */
export async function billed(exchange: ExchangeProcess, publisherId: string, answered: number): Promise<void> {
  const deadlineMs = performance.now() + BILLED_WITHIN_MS;
  for (;;) {
    const path = `/api/supply/sources/${publisherId}/stats`;
    const { impressions } = await exchange.call<{ impressions: number }>('GET', path);
    if (impressions === answered) return;
    if (performance.now() > deadlineMs)
      throw new Error(`${answered} impressions were confirmed, ${impressions} billed`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
