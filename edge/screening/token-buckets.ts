import { GenerationalCache } from './generations.ts';
import { NumberTable } from './number-table.ts';

/** What a bucket holds: this long's worth of its rate. */
const BURST_MS = 10_000;

/**
 * A token bucket for each key: full it holds ten seconds' worth, and it fills at `perSecond`. What is kept of one is the
 * time at which it will be full again (the generic cell rate algorithm, ITU-T I.371), so a key that is
 * forgotten once its bucket is full is not missed.
 */
export class TokenBuckets {
  readonly #intervalMs: number;
  /** Monotonic ms, by key. */
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
