import { join } from 'node:path';
import type { Logger } from 'pino';
import type { CreativeStorage } from '../gateways/creatives/storage/creative-storage.ts';
import type { Counters } from '../runtime/ports/counters.ts';
import { LogUnavailable, StoreUnavailable } from '../runtime/ports/errors.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import type { Rates } from '../runtime/ports/rates.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';

export interface Providers {
  readonly log: LogProvider;
  readonly store: StateStore;
  /** Shared by all processes where there is Redis. */
  readonly rates: Rates;
  /** Of the whole exchange, and of this region's edges; the same where there is one Redis or none. */
  readonly counters: Counters;
  readonly edgeCounters: Counters;
  /** Where the files of creatives live: a bucket where one is set, else a folder. */
  readonly creatives: CreativeStorage;
  close(): Promise<void>;
}

/** Redis and MongoDB where their URLs are set, else the embedded log and store. Clients that are not used are not loaded. */
export async function openProviders(settings: Settings, logger: Logger): Promise<Providers> {
  const { redisUrl, edgeRedisUrl, mongodbUrl, partitions } = settings;
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(provider: T): T => {
    opened.push(provider);
    return provider;
  };
  const close = async () => {
    for (const provider of opened.reverse()) await provider.close();
  };
  try {
    let log: LogProvider | null = null;
    let store: StateStore | null = null;
    let rates: Rates;
    let counters: Counters | null = null;
    let edgeCounters: Counters | null = null;
    if (redisUrl === null || mongodbUrl === null) {
      const { openEmbedded } = await import('../runtime/providers/embedded/open-embedded.ts');
      const embedded = keep(await openEmbedded({ folder: settings.dataDir, partitions, clock: systemClock }));
      if (redisUrl === null) {
        log = embedded.log;
        counters = embedded.counters;
      }
      if (mongodbUrl === null) store = embedded.store;
    }
    if (redisUrl !== null) {
      const { openRedisLog } = await import('../runtime/providers/redis/open-redis-log.ts');
      const report = (problem: string, cause: unknown) => logger.warn({ problem, cause: String(cause) }, 'Redis');
      log = keep(
        await named('REDIS_URL', openRedisLog({ url: redisUrl, prefix: settings.redisPrefix, partitions, report })),
      );
      const { openRedisRates } = await import('../runtime/providers/redis/open-redis-rates.ts');
      rates = keep(await openRedisRates({ url: redisUrl, prefix: settings.redisPrefix, clock: systemClock, report }));
      const { openRedisCounters } = await import('../runtime/providers/redis/open-redis-counters.ts');
      counters = keep(await openRedisCounters({ url: redisUrl, prefix: settings.redisPrefix, report }));
      if (edgeRedisUrl !== null && edgeRedisUrl !== redisUrl) {
        edgeCounters = keep(await openRedisCounters({ url: edgeRedisUrl, prefix: settings.redisPrefix, report }));
      }
    } else {
      const { openMemoryRates } = await import('../runtime/providers/memory/memory-rates.ts');
      rates = keep(openMemoryRates(systemClock));
    }
    if (mongodbUrl !== null) {
      const { openMongodbStore } = await import('../runtime/providers/mongodb/open-mongodb-store.ts');
      store = keep(
        await named('MONGODB_URL', openMongodbStore({ url: mongodbUrl, writeBatch: settings.mongodbWriteBatch })),
      );
    }
    const creatives = keep(await openCreativeStorage(settings));
    for (const warning of log!.warnings) logger.warn({ warning }, 'durability');
    return {
      log: log!,
      store: store!,
      rates,
      counters: counters!,
      edgeCounters: edgeCounters ?? counters!,
      creatives,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openCreativeStorage({ creativesDir, creativesS3 }: Settings): Promise<CreativeStorage> {
  if (creativesS3 !== null) {
    const { openS3Storage } = await import('../gateways/creatives/storage/s3-storage.ts');
    return openS3Storage(creativesS3);
  }
  const { openFileStorage } = await import('../gateways/creatives/storage/file-storage.ts');
  return openFileStorage({ folder: creativesDir, random: systemRandom });
}

/** Says which setting named the server that does not answer. */
function named<T>(setting: string, opening: Promise<T>): Promise<T> {
  return opening.catch((error: Error) => {
    if (!(error instanceof LogUnavailable || error instanceof StoreUnavailable)) throw error;
    throw new Error(`nothing to work with at ${setting}: ${error.message}`, { cause: error });
  });
}

/** Files of creatives that are on their way into the storage: beside it, so that they need not be copied. */
export function creativesStagingFolder({ creativesDir }: Settings): string {
  return join(creativesDir, 'incoming');
}
