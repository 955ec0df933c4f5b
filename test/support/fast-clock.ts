import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';

/**
 * The system's date, but time passes `times` as fast for whoever waits: what is due in a second fires in a fraction of
 * it.
 */
export function fastClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => times * systemClock.monotonic(),
    after: (delayMs, fire) => systemClock.after(delayMs / times, fire),
  };
}
