import { Registry } from 'prom-client';
import { type ActorNode, createNode } from '../../runtime/node/node.ts';
import type { Tuning } from '../../runtime/node/tuning.ts';
import { openMongodbStore } from '../../runtime/providers/mongodb/open-mongodb-store.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { type KillPoint, killSelfAt } from './kill-point.ts';
import { KINDS } from './kinds.ts';

/** A process that hosts actors: its first argument is this, as JSON; it ends when its parent does. */
export interface ActorsProcessOptions {
  readonly name: string;
  readonly redisUrl: string;
  readonly partitions: number;
  readonly mongodbUrl: string;
  readonly database: string;
  readonly writeBatch: number;
  readonly storeTimeoutMs: number;
  readonly tuning: Partial<Tuning>;
  readonly death: KillPoint | null;
}

/** What it tells its parent. */
export type Report =
  | { readonly about: 'owned'; readonly partitions: readonly number[] }
  | {
      readonly about: 'alarm';
      readonly alarm: string;
      readonly partition: number;
      readonly message: string;
      /** `actor_alarms_total` of that alarm, this one included. */
      readonly total: number;
    }
  | { readonly about: 'log'; readonly level: string; readonly line: string };

const LOOK_EVERY_MS = 50;

const options = JSON.parse(process.argv[2]!) as ActorsProcessOptions;
const registry = new Registry();

function report(what: Report): void {
  if (process.connected) process.send!(what);
}

async function reportAlarm(alarm: string, partition: number, message: string): Promise<void> {
  const { values } = await registry.getSingleMetric('actor_alarms_total')!.get();
  const total = values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;
  report({ about: 'alarm', alarm, partition, message, total });
}

function log(level: string) {
  return (fields: object, message: string): void => {
    report({ about: 'log', level, line: `${options.name} ${level}: ${message} ${JSON.stringify(fields)}` });
    const { alarm, partition } = fields as { alarm?: string; partition?: number };
    if (alarm !== undefined) void reportAlarm(alarm, partition!, message);
  };
}

const provider = await openRedisLog({ url: options.redisUrl, partitions: options.partitions, name: options.name });
const store = await openMongodbStore({
  url: options.mongodbUrl,
  database: options.database,
  writeBatch: options.writeBatch,
  requestTimeoutMs: options.storeTimeoutMs,
});
if (options.death) killSelfAt(options.death, provider, store);
const node: ActorNode = createNode({
  name: options.name,
  provider,
  store,
  clock: systemClock,
  random: systemRandom,
  definitions: KINDS,
  hostsActors: true,
  replicates: [],
  tuning: options.tuning,
  logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  registry,
});
await node.start();

let told = '';
setInterval(() => {
  const partitions = [...node.ownedPartitions].sort((a, b) => a - b);
  if (partitions.join() === told) return;
  told = partitions.join();
  report({ about: 'owned', partitions });
}, LOOK_EVERY_MS);

process.on('disconnect', () => process.exit(0));
process.once('SIGTERM', async () => {
  await node.stop();
  await provider.close();
  await store.close();
  process.exit(0);
});
