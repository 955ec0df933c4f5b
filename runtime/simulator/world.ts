import { Faults } from './faults.ts';
import { SeededRandom } from './seeded-random.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';

/** What everything in one simulation shares. */
export interface World {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly trace: Trace;
}

export function createWorld(seed: number | string, print?: (line: string) => void): World {
  const random = new SeededRandom(seed);
  const trace = new Trace(print);
  return {
    random,
    trace,
    time: new VirtualTime(random.fork('time'), trace),
    faults: new Faults(random.fork('faults')),
  };
}
