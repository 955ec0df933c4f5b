import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Longer than the time over which V8 looks whether anything is allocated: only then does it make the young generation small. */
const LOOK_EVERY_MS = 6_000;

/** Share of a stretch in which the event loop was busy; below it nobody waits for what takes a tenth of a second. */
const IDLE_BELOW = 0.05;

/**
 * Collects all garbage once, as soon as the process has had little to do for some seconds. Loading the program makes the young
 * generation as large as it may become under load, and V8 by itself takes it back only after about a minute; under load it grows as it
 * must.
 */
export function collectWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization >= IDLE_BELOW) return;
    clearInterval(looking);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
    collect();
  }, LOOK_EVERY_MS).unref();
}
