import { performance } from 'node:perf_hooks';
import { systemTimer } from '#async/pause';
import type { Clock } from '../../ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: systemTimer.after,
};
