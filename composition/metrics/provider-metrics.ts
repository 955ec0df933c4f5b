import type { Registry } from 'prom-client';
import type { StateStore } from '../../runtime/ports/store.ts';
import { PoolCounts } from '../../runtime/providers/mongodb/pool-counts.ts';
import type { CommandObserver } from '../../runtime/providers/redis/command-observer.ts';
import { counterAtScrape, gaugeAtScrape } from './at-scrape.ts';
import { DurationHistogram } from './duration-histogram.ts';

/** The logs that a process may have in Redis servers of their own: that of the exchange, and that of its region. */
type RedisLogName = 'main' | 'region';

/** What clients of Redis and MongoDB tell of themselves. */
export interface ProviderObservers {
  readonly redis: CommandObserver;
  /** The observer of the clients of a log, which watch the memory of its servers as well. */
  readonly redisLog: (log: RedisLogName) => CommandObserver;
  readonly mongodb: PoolCounts;
}

/** Observes the clients of Redis and MongoDB. Where there is none, its metrics have no series, or 0. */
export function observeProviders(registry: Registry): ProviderObservers {
  return { ...redisMetrics(registry), mongodb: mongodbMetrics(registry) };
}

/** Exports what the providers know once they are open. */
export function providerMetrics(
  registry: Registry,
  { timesNotInSync, store }: { readonly timesNotInSync: () => number; readonly store: Pick<StateStore, 'unindexed'> },
): void {
  counterAtScrape(
    registry,
    {
      name: 'exchange_redis_not_in_sync_total',
      help: 'How often a Redis server was found that may not be used, since it may lack what was acknowledged',
    },
    (note) => note({}, timesNotInSync()),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'store_unindexed_kinds',
      help: 'Kinds of actors whose indexes are being made: until they are there, what is listed of them comes slower',
    },
    (note) => note({}, store.unindexed().length),
  );
}

function redisMetrics(registry: Registry): Pick<ProviderObservers, 'redis' | 'redisLog'> {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_redis_command_seconds',
    help: 'Time from sending a command to Redis to its answer, replicas that are waited for included',
    labelNames: [],
  });
  const took = seconds.of();
  const errors = { failed: 0, late: 0 };
  let inFlight = 0;
  counterAtScrape(
    registry,
    {
      name: 'exchange_redis_command_errors_total',
      help: 'Commands that Redis or its client refused (failed), and those without an answer in time (late)',
      labelNames: ['cause'],
    },
    (note) => {
      for (const [cause, times] of Object.entries(errors)) note({ cause }, times);
    },
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_redis_commands_in_flight', help: 'Commands that wait for their answer' },
    (note) => note({}, inFlight),
  );
  const memoryUsed = new Map<RedisLogName, number>();
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_redis_memory_used_ratio',
      help: 'Share of maxmemory that the fullest Redis server uses; from 0.9 on producers are refused; 0 without a bound',
    },
    (note) => note({}, Math.max(0, ...memoryUsed.values())),
  );
  const redis: CommandObserver = {
    begun() {
      inFlight++;
    },
    ended(how, ms) {
      inFlight--;
      if (how === 'answered') took.observe(ms);
      else errors[how]++;
    },
  };
  return { redis, redisLog: (log) => ({ ...redis, memoryUsed: (part) => memoryUsed.set(log, part) }) };
}

function mongodbMetrics(registry: Registry): PoolCounts {
  const pool = new PoolCounts();
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_mongodb_connections',
      help: 'Connections of this process to MongoDB, in use and idle',
      labelNames: ['state'],
    },
    (note) => {
      note({ state: 'in_use' }, pool.inUse);
      note({ state: 'idle' }, Math.max(0, pool.open - pool.inUse));
    },
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_mongodb_checkouts_waiting', help: 'Operations that wait for a connection to MongoDB' },
    (note) => note({}, pool.waiting),
  );
  counterAtScrape(
    registry,
    { name: 'exchange_mongodb_checkout_failures_total', help: 'Operations that got no connection to MongoDB in time' },
    (note) => note({}, pool.failures),
  );
  return pool;
}
