import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createNode } from '#runtime/node/node';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { jobOf, sendToParent } from '../../processes/child.ts';
import { TARGET } from '../target.ts';
import { countedStore, StoreCounts } from './counted-store.ts';
import { dividedLog, LogCounts } from './divided-log.ts';
import type { NodeCommand, NodeJob, NodeResult } from './jobs.ts';
import { MONEY_KINDS } from './measured-partitions.ts';

/** The time for which a save may wait, and a little more. */
const SETTLE_MS = 25_000;

/** The measured node: it owns some partitions of the target, as one of its actor nodes would. */
const job = jobOf<NodeJob>();
const { partitions } = TARGET;
const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'));
const embedded = await openEmbedded({ folder, partitions, clock: systemClock });
const own = await openRedisLog({ url: job.redisUrl, prefix: job.prefix, partitions });
const others = await openRedisLog({ url: job.othersUrl, prefix: job.prefix, partitions });
const mongodb = job.mongodbUrl === null ? null : await openMongodbStore({ url: job.mongodbUrl });
const log = new LogCounts();
const store = new StoreCounts();
const registry = new Registry();
const owned = new Set(job.partitions);
const owns = (partition: number) => owned.has(partition);
const node = createNode({
  name: 'measured',
  provider: dividedLog(own, owns, (partition) => (owns(partition) ? own : others).log, log),
  store: countedStore(mongodb ?? embedded.store, store),
  clock: systemClock,
  random: systemRandom,
  definitions: MONEY_KINDS,
  hostsActors: true,
  replicates: [],
  registry,
});
await node.start();
while (node.ownedPartitions.length < owned.size) await new Promise((resolve) => setTimeout(resolve, 50));

async function handled(): Promise<NodeResult['handled']> {
  const { values } = await registry.getSingleMetric('actor_messages_total')!.get();
  return values.map(({ labels, value }) => ({ kind: `${labels.kind}`, outcome: `${labels.outcome}`, count: value }));
}

let before: NodeResult['handled'] = [];
async function begin(): Promise<void> {
  log.reset();
  store.reset();
  before = await handled();
}

async function end(): Promise<void> {
  const { appends, appended, appendedCharacters, read, readCharacters } = log;
  const counted = {
    log: { appends, appended: [...appended], appendedCharacters, read, readCharacters },
    ...{ saves: store.calls, kinds: [...store.kinds] },
  };
  const since = ({ kind, outcome, count }: NodeResult['handled'][number]) => {
    const earlier = before.find((other) => other.kind === kind && other.outcome === outcome);
    return { kind, outcome, count: count - (earlier?.count ?? 0) };
  };
  const during = (await handled()).map(since);
  // What was appended at the end of the window is saved in a later turn.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  sendToParent({ ...counted, handled: during, saved: store.saved } satisfies NodeResult);
  await node.stop();
  for (const provider of [own, others]) await provider.close();
  await mongodb?.close();
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
  process.disconnect();
}

process.on('message', ({ command }: { command: NodeCommand }) => void (command === 'begin' ? begin() : end()));
sendToParent({});
