import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import { closeClient, createClusterClient, createServerClient, whenReady } from './client.ts';
import { Keys } from './keys.ts';
import { parseRedisUrl } from './redis-url.ts';

export interface RedisRateCountersOptions {
  /** See `parseRedisUrl`. */
  readonly url: string;
  /** The prefix of every key, as for the log. Default `adx`. */
  readonly prefix?: string;
  readonly clock: Clock;
  /** Called with connection errors. Connections are restored by themselves. */
  readonly report?: (problem: string, cause: unknown) => void;
}

/**
 * Every request of the management API waits for its count: a Redis that is silent for longer than this counts as
 * unavailable, ms.
 */
const SILENCE_MS = 500;

const CONNECT_TIMEOUT_MS = 2000;

/** A limit that no key reaches, because the caller decides what is too much. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Counts in Redis or in a Redis Cluster, on a connection of its own. Redis may be unavailable at start or later. */
export async function openRedisRateCounters(options: RedisRateCountersOptions): Promise<RateCounters> {
  const { url, prefix = 'adx', clock, report = () => {} } = options;
  const address = parseRedisUrl(url);
  const keys = new Keys(prefix);
  const clientOptions = { name: `${prefix}-rates`, silenceMs: SILENCE_MS, report };
  const client = address.cluster
    ? createClusterClient(address, clientOptions)
    : createServerClient(address, clientOptions);
  const terms = { points: NO_LIMIT, duration: 1, keyPrefix: '' };
  const counters = new RateLimiterRedis({
    ...terms,
    storeClient: client,
    // A count that waited for a connection would delay its request.
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(terms),
  });
  await whenReady(client, CONNECT_TIMEOUT_MS).catch((cause) => report('counting in memory until Redis answers', cause));
  return {
    async consume(key, points, windowMs) {
      const { consumedPoints, msBeforeNext } = await counters.consume(keys.rate(key), points, {
        customDuration: windowMs / 1000,
      });
      return { consumed: consumedPoints, resetAtMs: clock.now() + msBeforeNext };
    },
    close: () => closeClient(client),
  };
}
