import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 looks at what was allocated in the last five seconds. */
const LOOK_EVERY_MS = 5_000;

/** Of one core; below it hardly anybody waits for what takes a tenth of a second. An idle process takes two to four hundredths. */
const IDLE_BELOW = 0.1;

/** What V8 makes of the young generation when it takes room back: a megabyte or two. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** V8 takes room back in a collection before which little was allocated, by its own measure: the first may be too soon. */
const MOST_COLLECTIONS = 6;

/**
 * Collects all garbage when the process has had little to do for some seconds, until V8 has made the young generation small. Loading
 * the program makes it as large as it may become under load, and V8 by itself takes it back only after about a minute; under load
 * it grows as it must.
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
