import { actorKinds } from '#composition/actor-kinds';
import { createNode } from '#runtime/node/node';
import type { Tuning } from '#runtime/node/tuning';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { openServedStore } from './served-store.ts';

/** A node with all actors of the exchange: its first argument is this, as JSON. It ends with its parent. */
export interface ActorNodeOptions {
  readonly name: string;
  readonly redisUrl: string;
  readonly prefix: string;
  readonly partitions: number;
  readonly storePort: number;
  readonly tuning: Partial<Tuning>;
}

/** What it tells its parent. */
export type NodeReport = { readonly owned: readonly number[] } | { readonly line: string };

const LOOK_EVERY_MS = 50;

const { name, redisUrl, prefix, partitions, storePort, tuning } = JSON.parse(process.argv[2]!) as ActorNodeOptions;

function report(what: NodeReport): void {
  if (process.connected) process.send!(what);
}

function log(level: string) {
  return (fields: object, message: string): void =>
    report({ line: `${name} ${level}: ${message} ${JSON.stringify(fields, withErrors)}` });
}

function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}

const node = createNode({
  name,
  provider: await openRedisLog({ url: redisUrl, prefix, partitions, name }),
  store: await openServedStore(storePort),
  clock: systemClock,
  random: systemRandom,
  definitions: actorKinds,
  hostsActors: true,
  replicates: [],
  tuning,
  logger: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
});
await node.start();

let told = '';
setInterval(() => {
  const owned = [...node.ownedPartitions].sort((a, b) => a - b);
  if (owned.join() === told) return;
  told = owned.join();
  report({ owned });
}, LOOK_EVERY_MS);
process.on('disconnect', () => process.exit(0));
