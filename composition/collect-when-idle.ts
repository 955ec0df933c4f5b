import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The interval of the check, ms. V8 looks at the allocations of the last five seconds. */
const LOOK_EVERY_MS = 5_000;

/**
 * The share of one core below which the process counts as idle: then hardly any request waits for a collection of 0.1
 * s. An idle process uses 0.02 to 0.04.
 */
const IDLE_BELOW = 0.1;

/** A young generation below this size counts as small; V8 shrinks it to one or two MB. */
const SMALL_BYTES = 8 * 1024 * 1024;

/**
 * The most collections. V8 shrinks the young generation in a collection before which little was allocated, by its own
 * measure, so the first may come too soon.
 */
const MOST_COLLECTIONS = 6;

/**
 * Collects all garbage when the process has had little to do for 5 s, until V8 has made the young generation small.
 * Loading the program makes it as large as it may become under load, and V8 by itself shrinks it only after about a
 * minute. Under load it grows as it must.
 */
export function collectWhenIdle(): void {
  let before = process.cpuUsage();
  let collections = 0;
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (user + system < IDLE_BELOW * LOOK_EVERY_MS * 1000) {
      collectAll();
      collections += 1;
      if (youngGenerationBytes() < SMALL_BYTES || collections === MOST_COLLECTIONS) clearInterval(looking);
    }
    before = process.cpuUsage();
  }, LOOK_EVERY_MS).unref();
}

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
