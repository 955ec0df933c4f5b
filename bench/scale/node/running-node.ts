import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { type Child, startChild } from '../../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../../processes/cores.ts';
import { startRedis } from '../../processes/redis.ts';
import { cpuMicros, residentBytes } from '../../processes/resources.ts';
import { Market } from '../market.ts';
import type { SavedThrough } from './counted-store.ts';
import type { NodeCommand, NodeJob, NodeResult, RestResult, SentImpression } from './jobs.ts';
import { typicalPartitions } from './measured-partitions.ts';
import { callsBetween, type RedisUse, redisUse } from './redis-use.ts';

/** Code is compiled, and what waits from the start is handled. */
const WARM_UP_SECONDS = 40;
const EMPTY_EVERY_MS = 2_000;

/** What a node with some partitions of the target was seen to do in a window. */
export interface RunningNode {
  readonly partitions: number;
  readonly seconds: number;
  readonly impressions: number;
  readonly node: NodeResult;
  readonly cpuMicros: number;
  readonly residentBytes: number;
  readonly redis: { readonly calls: readonly (readonly [string, number])[]; readonly cpuMicros: number };
  /** Entries that wait in the measured partitions at the end. */
  readonly backlog: number;
  /** From the append of an impression to the save of its publisher's ledger, ms. */
  readonly lagsMs: readonly number[];
  /** Impressions whose ledger was not saved by the end. */
  readonly unsaved: number;
}

/**
 * Runs one node with `count` partitions, each loaded as it would be at the target: impressions of the whole market at
 * its rate, and the totals of all other partitions for the ledgers that it has.
 */
export async function runNode(
  { redisUrl, mongodbUrl, seed }: { redisUrl: string; mongodbUrl: string | null; seed: string },
  count: number,
  seconds: number,
): Promise<RunningNode> {
  const others = await startRedis();
  const clients = { own: new Redis(redisUrl), others: new Redis(others.url) };
  const children: Child<unknown>[] = [];
  const start = <Message>(core: number, program: string, job: NodeJob) => {
    const child = startChild<Message>(core, program, job);
    children.push(child);
    return child;
  };
  const emptying = setInterval(() => void emptyStreams(clients.others).catch(() => {}), EMPTY_EVERY_MS);
  try {
    const partitions = typicalPartitions(new Market(seed), count, Date.now());
    const job: NodeJob = {
      ...{ seed, redisUrl, mongodbUrl, partitions },
      prefix: `bench-${randomUUID()}`,
      othersUrl: others.url,
    };
    const node = start<NodeResult>(MEASURED_CORE, 'scale/node/measured-node-process.js', job);
    await node.next();
    const rest = start<RestResult>(OTHER_CORE, 'scale/node/rest-process.js', job);
    await rest.next();
    await pauseMs(WARM_UP_SECONDS * 1_000);
    const tell = (command: NodeCommand) => {
      for (const child of [node, rest]) child.send({ command });
    };
    const before = { redis: await redisUse(clients.own), cpu: cpuMicros(node.pid), atMs: performance.now() };
    tell('begin');
    await pauseMs(seconds * 1_000);
    const after = { redis: await redisUse(clients.own), cpu: cpuMicros(node.pid), atMs: performance.now() };
    const resident = residentBytes(node.pid);
    const backlog = await streamLengths(clients.own, job.prefix);
    tell('end');
    const { impressions, sent } = await rest.next();
    const result = await node.next();
    return {
      ...{ partitions: count, impressions, node: result, residentBytes: resident, backlog },
      seconds: (after.atMs - before.atMs) / 1_000,
      cpuMicros: after.cpu - before.cpu,
      redis: { calls: callsBetween(before.redis, after.redis), cpuMicros: cpuBetween(before.redis, after.redis) },
      ...lags(sent, result.saved),
    };
  } finally {
    clearInterval(emptying);
    for (const child of children) await child.stop();
    for (const client of Object.values(clients)) client.disconnect();
    await others.stop();
  }
}

function cpuBetween(before: RedisUse, after: RedisUse): number {
  return (after.cpuSeconds - before.cpuSeconds) * 1_000_000;
}

/** Matches each impression with the first save whose ledger has it. */
function lags(
  sent: readonly SentImpression[],
  saved: readonly SavedThrough[],
): Pick<RunningNode, 'lagsMs' | 'unsaved'> {
  const saves = new Map<string, SavedThrough[]>();
  for (const save of saved) {
    const key = `${save.publisher} ${save.partition}`;
    const list = saves.get(key);
    if (list) list.push(save);
    else saves.set(key, [save]);
  }
  const lagsMs: number[] = [];
  let unsaved = 0;
  for (const { publisher, partition, sentAtMs } of sent) {
    const covering = saves.get(`${publisher} ${partition}`)?.find(({ throughMs }) => throughMs >= sentAtMs);
    if (covering) lagsMs.push(covering.savedAtMs - sentAtMs);
    else unsaved += 1;
  }
  return { lagsMs, unsaved };
}

/** What the measured node sends to other partitions is counted, and nobody reads it. */
async function emptyStreams(redis: Redis): Promise<void> {
  for (const key of await streamsOf(redis, '*')) await redis.xtrim(key, 'MAXLEN', 0);
}

async function streamLengths(redis: Redis, prefix: string): Promise<number> {
  let entries = 0;
  for (const key of await streamsOf(redis, `*${prefix}*`)) entries += await redis.xlen(key);
  return entries;
}

async function streamsOf(redis: Redis, match: string): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of redis.scanStream({ match, count: 1_000, type: 'stream' })) found.push(...(keys as string[]));
  return found;
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
