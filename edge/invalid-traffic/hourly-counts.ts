import { NumberTable } from '../number-table.ts';
import { GenerationalCache } from '../screening/generations.ts';

const HOUR_MS = 3_600_000;
/** A stored number is its hour times this, plus the count. */
const COUNTS = 2 ** 32;

/** Counts of each key in this hour. Bounded: beyond `maxKeys`, keys that were quiet longest are forgotten. */
export class HourlyCounts {
  readonly #counts: GenerationalCache<number, number>;

  constructor(maxKeys: number, nowMs: number) {
    this.#counts = new GenerationalCache(HOUR_MS, maxKeys, nowMs, () => new NumberTable());
  }

  /** Adds to a key's count and returns it. `key`: a whole number of 0 or more; `nowMs`: of a monotonic clock. */
  add(key: number, nowMs: number, times = 1): number {
    const count = this.get(key, nowMs) + times;
    this.#counts.put(key, Math.floor(nowMs / HOUR_MS) * COUNTS + count, nowMs);
    return count;
  }

  get(key: number, nowMs: number): number {
    const stored = this.#counts.get(key, nowMs) ?? 0;
    return Math.floor(stored / COUNTS) === Math.floor(nowMs / HOUR_MS) ? stored % COUNTS : 0;
  }
}
