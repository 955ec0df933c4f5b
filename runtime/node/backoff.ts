import type { Clock } from '../ports/clock.ts';

/** Waits before the next try: the first of `range` ms, doubled with each attempt (from 0) up to the second. */
export function backoff(clock: Clock, attempt: number, range: readonly [number, number]): Promise<void> {
  return sleep(clock, Math.min(range[1], range[0] * 2 ** Math.min(attempt, 20)));
}

export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
