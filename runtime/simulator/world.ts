import { Faults } from './faults.ts';
import { SeededRandom } from './seeded-random.ts';
import { Trace } from './trace.ts';
import { UnavailableShards } from './unavailable-shards.ts';
import { VirtualTime } from './virtual-time.ts';

/** The parts that everything in one simulation shares. */
export interface World {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly shards: UnavailableShards;
  readonly trace: Trace;
  /** A separate random source for each name, which does not affect other draws. */
  readonly stream: (name: string) => SeededRandom;
}

export function createWorld(seed: number | string, print?: (line: string) => void): World {
  const random = new SeededRandom(seed);
  const trace = new Trace(print);
  const stream = (name: string) => new SeededRandom(`${name} of ${seed}`);
  return {
    random,
    trace,
    stream,
    shards: new UnavailableShards(stream('shards that are away')),
    time: new VirtualTime(random.fork('time'), trace),
    faults: new Faults(random.fork('faults')),
  };
}
