import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { CreativeStorage } from '../gateways/creatives/storage/creative-storage.ts';
import type { Destination } from '../gateways/log-level-data/destination/destination.ts';
import { Complaints } from '../runtime/actor/complaints.ts';
import type { Counters } from '../runtime/ports/counters.ts';
import { LogIsNew, LogUnavailable, LogUnsafe, StoreUnavailable } from '../runtime/ports/errors.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import type { RateCounters } from '../runtime/ports/rate-counters.ts';
import type { SharedRecords } from '../runtime/ports/shared-records.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { DATA_FILE } from '../runtime/providers/embedded/data-file.ts';
import type { RedisLogProvider } from '../runtime/providers/redis/open-redis-log.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import type { ProviderObservers } from './metrics/provider-metrics.ts';
import { waitFor } from './wait-for.ts';

export interface Providers {
  readonly log: LogProvider;
  /** The log of this region's own that its edges take impressions into; null where they go to `log`. */
  readonly regionLog: RedisLogProvider | null;
  /**
   * The records in which the edges that share a Redis keep what they lease together; null where one process sells
   * alone.
   */
  readonly leaseRecords: SharedRecords | null;
  /** The number of times that a Redis server was refused because it may lack acknowledged entries. */
  readonly timesNotInSync: () => number;
  readonly store: StateStore;
  /** The rate counters, which all processes share where there is Redis. */
  readonly rates: RateCounters;
  /**
   * The counters of the whole exchange, and those of this region's edges; the same object where there is at most one
   * Redis.
   */
  readonly counters: Counters;
  readonly edgeCounters: Counters;
  /** The storage of the files of creatives: a bucket where one is set, otherwise a folder. */
  readonly creatives: CreativeStorage;
  /** Where log-level data is written; null where none is. */
  readonly logLevelData: Destination | null;
  close(): Promise<void>;
}

/**
 * Opens Redis and MongoDB where their URLs are set, otherwise the embedded log and store. Clients that are not used are
 * not loaded.
 * @param waitMs how long to wait for servers that are not up yet
 */
export async function createProviders(
  settings: Settings,
  logger: Logger,
  waitMs = 0,
  observers: Partial<ProviderObservers> = {},
): Promise<Providers> {
  const { redisUrl, edgeRedisUrl, regionRedisUrl, mongodbUrl, partitions } = settings;
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(provider: T): T => {
    opened.push(provider);
    return provider;
  };
  const close = async () => {
    for (const provider of opened.reverse()) await provider.close();
  };
  try {
    // This is read before the embedded store is opened, which this process may be about to make.
    const mustBeKnown = redisUrl !== null && (await holdsExchange(settings.dataDir));
    let log: LogProvider | null = null;
    let regionLog: RedisLogProvider | null = null;
    let leaseRecords: SharedRecords | null = null;
    let store: StateStore | null = null;
    let rates: RateCounters;
    let timesNotInSync = 0;
    let counters: Counters | null = null;
    let edgeCounters: Counters | null = null;
    if (redisUrl === null || mongodbUrl === null) {
      const { openEmbedded } = await import('../runtime/providers/embedded/open-embedded.ts');
      // Commands have a silent logger, and say it on standard error.
      const report = logger.isLevelEnabled('warn') ? { report: (message: string) => logger.warn(message) } : {};
      const embedded = keep(
        await openEmbedded({ folder: settings.dataDir, partitions, clock: systemClock, ...report }),
      );
      if (redisUrl === null) {
        log = embedded.log;
        counters = embedded.counters;
      }
      if (mongodbUrl === null) store = embedded.store;
    }
    const openStore = async (url: string): Promise<StateStore> => {
      const { openMongodbStore } = await import('../runtime/providers/mongodb/open-mongodb-store.ts');
      const tellIndexes = (message: string, fields: object) => logger.info(fields, message);
      const options = {
        url,
        writeBatch: settings.mongodbWriteBatch,
        snapshotReads: settings.mongodbSnapshotReads,
        report: tellIndexes,
        pool: observers.mongodb,
      };
      const attempt = { open: () => openMongodbStore(options), mayComeUp: isNotUp };
      return keep(await named('MONGODB_URL', waitFor('MongoDB (MONGODB_URL)', attempt, { logger, withinMs: waitMs })));
    };
    const replicated = settings.redisWaitReplicas > 0;
    // The store is opened before the log, which keeps in it which of the log's servers are in sync.
    if (mongodbUrl !== null && replicated) store = await openStore(mongodbUrl);
    if (redisUrl !== null) {
      const { openRedisLog } = await import('../runtime/providers/redis/open-redis-log.ts');
      const complaints = new Complaints({ logger, clock: systemClock });
      opened.push({ close: async () => complaints.close() });
      const warn = (problem: string, cause: unknown) =>
        complaints.warn({ problem, cause: String(cause) }, 'Redis', problem);
      let report = warn;
      const reportProblem = (problem: string, cause: unknown) => report(problem, cause);
      const open = (failed: (cause: unknown) => void) => {
        // Until the log is open, one line a second is enough.
        report = (_, cause) => failed(cause);
        return openRedisLog({
          ...{ url: redisUrl, prefix: settings.redisPrefix, partitions, report: reportProblem, mustBeKnown },
          observer: observers.redisLog?.('main'),
          ...(replicated && {
            replication: {
              waitReplicas: settings.redisWaitReplicas,
              minReplicas: settings.redisMinReplicas,
              store: store!,
              writer: systemRandom.id(),
              notInSync: () => timesNotInSync++,
            },
          }),
        });
      };
      const opening = waitFor('Redis (REDIS_URL)', { open, mayComeUp: isNotUp }, { logger, withinMs: waitMs });
      const redisLog = keep(await named('REDIS_URL', opening));
      log = redisLog;
      leaseRecords = redisLog.records;
      report = warn;
      const { openRedisRateCounters } = await import('../runtime/providers/redis/open-redis-rate-counters.ts');
      const shared = { url: redisUrl, prefix: settings.redisPrefix, report: reportProblem };
      rates = keep(await openRedisRateCounters({ ...shared, clock: systemClock }));
      const { openRedisCounters } = await import('../runtime/providers/redis/open-redis-counters.ts');
      const observer = observers.redis;
      counters = keep(await openRedisCounters({ ...shared, observer }));
      if (regionRedisUrl !== null && settings.roles.has('edge')) {
        const regional = {
          ...{ url: regionRedisUrl, prefix: `${settings.redisPrefix}-${settings.region}`, report: reportProblem },
          ...{ partitions: redisLog.log.partitions, observer: observers.redisLog?.('region') },
        };
        const attempt = { open: () => openRedisLog(regional), mayComeUp: isNotUp };
        const waiting = waitFor('Redis (REGION_REDIS_URL)', attempt, { logger, withinMs: waitMs });
        regionLog = keep(await named('REGION_REDIS_URL', waiting));
        assertSamePartitions(regionLog, redisLog);
        leaseRecords = regionLog.records;
      }
      if (edgeRedisUrl !== null && edgeRedisUrl !== redisUrl) {
        edgeCounters = keep(await openRedisCounters({ ...shared, observer, url: edgeRedisUrl }));
      }
    } else {
      const { createMemoryRateCounters } = await import('../runtime/providers/memory/memory-rate-counters.ts');
      rates = keep(createMemoryRateCounters(systemClock));
    }
    if (mongodbUrl !== null && !replicated) store = await openStore(mongodbUrl);
    if (redisUrl !== null && !replicated) await named('REDIS_URL', refuseReplicated(store!));
    const creatives = keep(await openCreativeStorage(settings));
    const logLevelData = await openLogLevelData(settings);
    if (logLevelData !== null) opened.push({ close: async () => logLevelData.close() });
    for (const warning of [...log!.warnings, ...(regionLog?.warnings ?? [])]) logger.warn({ warning }, 'durability');
    return {
      log: log!,
      regionLog,
      leaseRecords,
      timesNotInSync: () => timesNotInSync,
      store: store!,
      rates,
      counters: counters!,
      edgeCounters: edgeCounters ?? counters!,
      creatives,
      logLevelData,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function assertSamePartitions({ log: ofRegion }: LogProvider, { log: atHome }: LogProvider): void {
  if (ofRegion.partitions === atHome.partitions) return;
  throw new Error(
    `the log at REGION_REDIS_URL has ${ofRegion.partitions} partitions and that at REDIS_URL ${atHome.partitions}: what goes from one to the other needs the same number`,
  );
}

async function openLogLevelData({ logLevelData }: Settings): Promise<Destination | null> {
  if (logLevelData === null) return null;
  const { openDestination } = await import('../gateways/log-level-data/destination/open-destination.ts');
  return openDestination(logLevelData);
}

async function refuseReplicated(store: StateStore): Promise<void> {
  const { assertUnreplicated } = await import('../runtime/providers/redis/replication/assert-unreplicated.ts');
  await assertUnreplicated(store);
}

async function holdsExchange(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, DATA_FILE))) return false;
  const { holdsDocuments } = await import('../runtime/providers/embedded/data-snapshot.ts');
  return holdsDocuments(dataDir);
}

async function openCreativeStorage({ creativesDir, creativesS3 }: Settings): Promise<CreativeStorage> {
  if (creativesS3 !== null) {
    const { createS3Storage } = await import('../gateways/creatives/storage/s3-storage.ts');
    return createS3Storage(creativesS3);
  }
  const { createFileStorage } = await import('../gateways/creatives/storage/file-storage.ts');
  return createFileStorage({ folder: creativesDir, random: systemRandom });
}

/** Errors that begin with or contain one of these are permanent: refused credentials, a server that is too old. */
const PERMANENT_ERRORS = ['WRONGPASS', 'NOAUTH', 'NOPERM', 'Authentication failed', 'too old', 'ERR AUTH'];

/** Whether the error may pass because a server that takes no calls now may still come up. */
export function isNotUp(error: Error): boolean {
  if (!(error instanceof LogUnavailable || error instanceof StoreUnavailable)) return false;
  return !PERMANENT_ERRORS.some((words) => error.message.includes(words));
}

/** Adds the setting that named the server to the error of a server that does not answer. */
export function named<T>(setting: string, opening: Promise<T>): Promise<T> {
  return opening.catch((error: Error) => {
    if (error instanceof LogIsNew) {
      throw new Error(
        'DATA_DIR holds an exchange, and the Redis at REDIS_URL none: unset REDIS_URL and MONGODB_URL to go on with it, or set another DATA_DIR to begin anew (docs/backup.md, "From the embedded stores to servers")',
        { cause: error },
      );
    }
    const known = [LogUnavailable, LogUnsafe, StoreUnavailable].some((kind) => error instanceof kind);
    if (!known) throw error;
    throw new Error(`nothing to work with at ${setting}: ${error.message}`, { cause: error });
  });
}

/**
 * The folder for files of creatives on their way into the storage, beside the storage so that they need not be copied.
 */
export function creativesStagingFolder({ creativesDir }: Settings): string {
  return join(creativesDir, 'incoming');
}
