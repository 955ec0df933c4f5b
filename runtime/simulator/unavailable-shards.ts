import { LogUnavailable } from '../ports/errors.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * A part of the log that one server of several can be the only one to hold: a partition with its lease, or what all
 * processes share.
 */
export type Shard = number | 'catalogue' | 'members';

/** The probability that a call to an unavailable shard is refused at once; otherwise it is never answered. */
const REFUSED = 0.5;

/** The unavailable shards of the log, the same for every process. Their data stay unchanged. */
export class UnavailableShards {
  readonly #random: SeededRandom;
  #unavailable: ReadonlySet<Shard> = new Set();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Makes exactly these shards unavailable. */
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
