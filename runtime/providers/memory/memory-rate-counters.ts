import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';

/** More than anything consumes: what is too much is for the caller to say. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** The rates of an exchange that is one process. A key is forgotten when its window ends. */
export function createMemoryRateCounters(clock: Clock): RateCounters {
  const counters = new RateLimiterMemory({ points: NO_LIMIT, duration: 1, keyPrefix: '' });
  return {
    async consume(key, points, windowMs) {
      const { consumedPoints, msBeforeNext } = await counters.consume(key, points, { customDuration: windowMs / 1000 });
      return { consumed: consumedPoints, resetAtMs: clock.now() + msBeforeNext };
    },
    async close() {},
  };
}
