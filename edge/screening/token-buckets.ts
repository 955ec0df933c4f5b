import { NumberTable } from '../number-table.ts';
import { GenerationalCache } from './generations.ts';

/** Capacity of a bucket, in ms of its rate. */
const BURST_MS = 10_000;

/**
 * A token bucket for each key: a full one holds ten seconds' worth, and it fills at `perSecond`. A bucket is stored as
 * the time at which it will be full again (the generic cell rate algorithm, ITU-T I.371), so a key whose bucket is full
 * can be forgotten without effect.
 */
export class TokenBuckets {
  readonly #intervalMs: number;
  /** Time at which the bucket is full, monotonic ms, by key. */
  readonly #fullAtMs: GenerationalCache<number, number>;

  constructor(perSecond: number, maxKeys: number, nowMs: number) {
    this.#intervalMs = 1000 / perSecond;
    this.#fullAtMs = new GenerationalCache(BURST_MS, maxKeys, nowMs, () => new NumberTable());
  }

  /** Takes a token; false when there is none. */
  take(key: number, nowMs: number): boolean {
    const fullAtMs = Math.max(this.#fullAtMs.get(key, nowMs) ?? 0, nowMs) + this.#intervalMs;
    if (fullAtMs - nowMs > BURST_MS) return false;
    this.#fullAtMs.put(key, fullAtMs, nowMs);
    return true;
  }
}
