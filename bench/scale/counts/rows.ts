import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { bundle } from '#runtime/node/bundle';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import type { SummingFigures } from '#runtime/relay/summing-relay';
import { startChild } from '../../processes/child.ts';
import { MEASURED_CORE } from '../../processes/cores.ts';
import { hasRedis, startRedis } from '../../processes/redis.ts';
import { cpuMicros } from '../../processes/resources.ts';
import { micros, perSecond, type Row, skipped, times } from '../../row.ts';
import { Market } from '../market.ts';
import { redisUse } from '../node/redis-use.ts';
import { TARGET } from '../target.ts';
import { reported } from '../units/rows.ts';
import { type EdgeRun, runEdge, type SentCounts } from './counting-edge.ts';
import type { SummingJob } from './summing-process.ts';

const REGION = 'nyc';
const REGIONS = 3;
const EDGES = Math.floor(TARGET.edges / REGIONS);
/** The share of partitions that one of the region's edges relays. */
const PARTITIONS = TARGET.partitions / EDGES;
/** Counts of campaigns wait for 30 s. */
const WARM_UP_SECONDS = 31;
const BEGIN_MS = Date.UTC(2030, 0, 15, 10, 20);
/** All sums are at home. */
const SETTLE_MS = 7_000;

/**
 * What it takes to sum the counts of a region of the target: 16 edges, each with its full share of the market, are run
 * by clocks of their own, and what they send to the partitions that one edge relays is then sent at its times to a
 * Redis, with a relay in a process of its own.
 */
export async function countsRows(seconds: number): Promise<Row[]> {
  if (!hasRedis()) return [skipped('counts of a region', 'redis-server')];
  const market = new Market('counts');
  const runs: EdgeRun[] = [];
  for (let number = 0; number < EDGES; number++) {
    process.stderr.write(`counts: edge ${number + 1} of ${EDGES}\n`);
    runs.push(await edgeRun(market, number, true, seconds));
  }
  const oldestFirst = await edgeRun(market, 0, false, seconds);
  const sent = runs.flatMap((run) => run.sent).sort((one, other) => one.atMs - other.atMs);
  return rowsOf(runs, oldestFirst, await relayed(sent, seconds), sent, seconds);
}

function edgeRun(market: Market, number: number, inPhase: boolean, seconds: number): Promise<EdgeRun> {
  const partitions = new Set(Array.from({ length: PARTITIONS }, (_, partition) => partition));
  const options = { market, region: REGION, number, edges: EDGES, partitions, beginMs: BEGIN_MS, inPhase } as const;
  return runEdge(options, WARM_UP_SECONDS, seconds);
}

interface Relayed {
  readonly entries: number;
  readonly homeEntries: number;
  readonly homeBytes: number;
  readonly figures: SummingFigures;
  readonly relayMicros: number;
  readonly regionMicros: number;
  readonly homeMicros: number;
}

async function relayed(sent: readonly SentCounts[], seconds: number): Promise<Relayed> {
  const servers = [await startRedis(), await startRedis()] as const;
  const clients = servers.map(({ url }) => new Redis(url)) as [Redis, Redis];
  const job: SummingJob = {
    ...{ regionUrl: servers[0].url, homeUrl: servers[1].url },
    ...{ prefix: `bench-${randomUUID()}`, partitions: PARTITIONS },
  };
  const relay = startChild<SummingFigures>(MEASURED_CORE, 'scale/counts/summing-process.js', job);
  const region = await openRedisLog({ url: job.regionUrl, prefix: `${job.prefix}-region`, partitions: PARTITIONS });
  const home = await openRedisLog({ url: job.homeUrl, prefix: `${job.prefix}-home`, partitions: PARTITIONS });
  try {
    await relay.next();
    const uses = () => Promise.all(clients.map(redisUse));
    const before = { uses: await uses(), relay: cpuMicros(relay.pid) };
    const entries = await send(sent, (partition, payloads) => region.log.append(partition, payloads), seconds);
    await pauseMs(SETTLE_MS);
    const after = { uses: await uses(), relay: cpuMicros(relay.pid) };
    relay.send({});
    const figures = await relay.next();
    let [homeEntries, homeBytes] = [0, 0];
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const read = await home.log.read(new Map([[partition, '0-0']]), 1_000_000, 0);
      for (const { payload } of read.get(partition) ?? []) {
        homeEntries += 1;
        homeBytes += payload.length;
      }
    }
    const micros = (server: 0 | 1) => (after.uses[server]!.cpuSeconds - before.uses[server]!.cpuSeconds) * 1e6;
    return {
      ...{ entries, homeEntries, homeBytes, figures },
      ...{ relayMicros: after.relay - before.relay, regionMicros: micros(0), homeMicros: micros(1) },
    };
  } finally {
    await relay.stop();
    await Promise.all([region.close(), home.close()]);
    for (const client of clients) client.disconnect();
    for (const server of servers) await server.stop();
  }
}

/** Sends what edges sent at its times, the messages of one edge, partition and flush together. Returns the entries. */
async function send(
  sent: readonly SentCounts[],
  append: (partition: number, payloads: string[]) => Promise<unknown>,
  seconds: number,
): Promise<number> {
  const flushes = new Map<string, SentCounts[]>();
  for (const message of sent) {
    const key = `${message.atMs} ${message.partition}`;
    const flush = flushes.get(key);
    if (flush) flush.push(message);
    else flushes.set(key, [message]);
  }
  // Edges flush by the clock, and so does the relay.
  const beginMs = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
  const appends: Promise<unknown>[] = [];
  let entries = 0;
  for (const flush of flushes.values()) {
    const { atMs, partition } = flush[0]!;
    const leftMs = beginMs + atMs - Date.now();
    if (leftMs > 0) await pauseMs(leftMs);
    const payloads = bundle(flush);
    entries += payloads.length;
    appends.push(append(partition, payloads));
  }
  await Promise.all(appends);
  const lateMs = Date.now() - beginMs - (seconds + 1) * 1_000;
  if (lateMs > 2_000) throw new Error(`this machine is ${Math.round(lateMs)} ms behind the edges`);
  return entries;
}

function rowsOf(
  runs: readonly EdgeRun[],
  oldestFirst: EdgeRun,
  { entries, homeEntries, homeBytes, figures, relayMicros, regionMicros, homeMicros }: Relayed,
  sent: readonly SentCounts[],
  seconds: number,
): Row[] {
  const messages = sent.length;
  const bytes = sent.reduce((sum, { payload }) => sum + payload.length, 0) / messages;
  const all = runs.reduce((sum, run) => sum + run.all, 0);
  const flush = ({ all: flushed, flushMicros }: EdgeRun) => micros(flushMicros / flushed);
  const of = `${PARTITIONS} of ${TARGET.partitions} partitions`;
  return [
    reported('counts: messages of an edge of the target', perSecond(all / EDGES / seconds)),
    reported('counts: an edge’s flush without appending, for a message', flush(runs[0]!)),
    reported('the same where the oldest go first', flush(oldestFirst)),
    reported(
      `counts of ${EDGES} edges in ${of}`,
      `${perSecond(messages / seconds)} of ${Math.round(bytes)} bytes in ${perSecond(entries / seconds)} entries`,
    ),
    reported(
      'the same, what one sum for each source and second would leave',
      `${perSecond(sourcesBySecond(sent) / seconds)}, ${times(messages / sourcesBySecond(sent))} fewer messages`,
    ),
    reported(
      'the same at home',
      `${perSecond(figures.sent / seconds)} of ${Math.round(homeBytes / figures.sent)} bytes in ${perSecond(homeEntries / seconds)} entries, ` +
        `${times(messages / figures.sent)} fewer messages`,
    ),
    reported(
      'counts: CPU of the relay that sums them, for a message of an edge',
      `${micros(relayMicros / messages)}, ${((relayMicros / seconds / 1e6) * 100).toFixed(1)} % of a core`,
    ),
    reported(
      'counts: CPU of Redis for a message of an edge, in the region and at home',
      `${micros(regionMicros / messages)} and ${micros(homeMicros / messages)}`,
    ),
  ];
}

/**
 * The number of sources that any edge sends counts of, second by second: the fewest messages that sums of a second can
 * be.
 */
function sourcesBySecond(sent: readonly SentCounts[]): number {
  return new Set(sent.map(({ to, atMs }) => `${Math.floor(atMs / 1_000)} ${to}`)).size;
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
