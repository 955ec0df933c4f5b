import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 6_000;

/** Of one core; below it hardly anybody waits for what takes a tenth of a second. An idle process takes two to four hundredths. */
const IDLE_BELOW = 0.1;

/** V8 makes the young generation small when little was allocated since the last collection: after the end of a start not at once. */
const IDLE_LOOKS = 2;

/**
 * Collects all garbage once, as soon as the process has had little to do for some seconds. Loading the program makes the young
 * generation as large as it may become under load, and V8 by itself takes it back only after about a minute; under load it grows as it
 * must.
 */
export function collectWhenIdle(): void {
  let before = process.cpuUsage();
  let idleLooks = 0;
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    idleLooks = user + system < IDLE_BELOW * LOOK_EVERY_MS * 1000 ? idleLooks + 1 : 0;
    if (idleLooks < IDLE_LOOKS) return;
    clearInterval(looking);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
    collect();
  }, LOOK_EVERY_MS).unref();
}
