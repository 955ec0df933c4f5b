import { LogUnavailable } from '../ports/errors.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What one server of a log that consists of several can be the only one to hold: a partition with its lease, or what all share. */
export type Shard = number | 'catalogue' | 'members';

/** Probability that a call to a shard that is away is refused at once; else it is never answered. */
const REFUSED = 0.5;

/** Which shards of the log are away, for every process alike. What they hold stays as it is. */
export class UnavailableShards {
  readonly #random: SeededRandom;
  #unavailable: ReadonlySet<Shard> = new Set();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** These are away, and no others. */
  set(shards: Iterable<Shard>): void {
    this.#unavailable = new Set(shards);
  }

  isUnavailable(shard: Shard): boolean {
    return this.#unavailable.has(shard);
  }

  /** Whether a call may go on to all of these; where it may not, it may have failed. */
  lets(shards: readonly Shard[], fail: (error: Error) => void): boolean {
    const shard = shards.find((one) => this.#unavailable.has(one));
    if (shard === undefined) return true;
    if (this.#random.chance(REFUSED)) fail(new LogUnavailable(`the shard of ${shard} is away`));
    return false;
  }
}
