import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StateStore } from '../../runtime/ports/store.ts';
import { DATA_FILE } from '../../runtime/providers/embedded/data-file.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import type { Settings } from '../../settings.ts';
import { named } from '../create-providers.ts';
import { FACTS_LOG } from '../facts/facts-log.ts';
import { type MovedLog, MoveRefused } from './move-to-partitions.ts';

/** The logs and the store of a stopped exchange. */
interface StoppedExchange {
  readonly logs: readonly MovedLog[];
  readonly store: StateStore;
}

/**
 * Opens what the settings name for `work`, and closes it afterwards. Nothing is made where there is nothing.
 * @throws Error in one sentence when a server does not answer or the data folder is in use
 */
export async function withStoppedExchange<T>(
  settings: Settings,
  work: (exchange: StoppedExchange) => Promise<T>,
): Promise<T> {
  const { redisUrl, factsRedisUrl, mongodbUrl, dataDir, partitions, redisPrefix } = settings;
  const opened: { close(): Promise<void> }[] = [];
  const keep = <C extends { close(): Promise<void> }>(one: C): C => {
    opened.push(one);
    return one;
  };
  try {
    const logs: MovedLog[] = [];
    let store: StateStore | null = null;
    if (redisUrl === null || mongodbUrl === null) {
      if (!existsSync(join(dataDir, DATA_FILE))) {
        throw new MoveRefused(`No exchange has kept data in ${dataDir} (DATA_DIR).`);
      }
      const { openEmbedded } = await import('../../runtime/providers/embedded/open-embedded.ts');
      const embedded = keep(await openEmbedded({ folder: dataDir, partitions, clock: systemClock }));
      if (mongodbUrl === null) store = embedded.store;
      if (redisUrl === null) logs.push({ name: 'the log in DATA_DIR', log: embedded.repartitioning });
    }
    if (mongodbUrl !== null) {
      const { openMongodbStore } = await import('../../runtime/providers/mongodb/open-mongodb-store.ts');
      store = keep(await named('MONGODB_URL', openMongodbStore({ url: mongodbUrl })));
    }
    if (redisUrl !== null) {
      const { openRedisRepartitioning } = await import(
        '../../runtime/providers/redis/repartitioning/open-redis-repartitioning.ts'
      );
      if (factsRedisUrl !== null) {
        const opening = openRedisRepartitioning({ url: factsRedisUrl, prefix: `${redisPrefix}-facts` });
        const log = keep(await named('FACTS_REDIS_URL', opening));
        logs.push({ name: 'the log at FACTS_REDIS_URL', log, marks: FACTS_LOG });
      }
      const opening = openRedisRepartitioning({
        ...{ url: redisUrl, prefix: redisPrefix },
        replication: {
          waitReplicas: settings.redisWaitReplicas,
          minReplicas: settings.redisMinReplicas,
          store: store!,
          writer: systemRandom.id(),
        },
      });
      logs.push({ name: 'the log at REDIS_URL', log: keep(await named('REDIS_URL', opening)) });
    }
    return await work({ logs, store: store! });
  } finally {
    for (const one of opened.reverse()) await one.close();
  }
}
