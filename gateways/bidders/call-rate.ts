/**
 * Fill level, as a share of a second's calls, below which calls are kept back at random: there are too few tokens for
 * all calls.
 */
const RANDOM_DROP_BELOW = 0.5;

/**
 * Bounds the calls in any one second: a token bucket that refills evenly and holds a second's worth. When demand
 * exceeds it, calls are kept back at random, with a probability that rises as the bucket empties, so that the bidder
 * sees a sample of all traffic and not the first part of every second.
 */
export class CallRate {
  #perSecond: number;
  #tokens: number;
  #filledAtMs = 0;
  readonly #random: () => number;

  /** `random`: uniform in [0, 1). */
  constructor(perSecond: number, random: () => number) {
    this.#perSecond = perSecond;
    this.#tokens = this.#capacity;
    this.#random = random;
  }

  /**
   * Changes the rate from the next call on; it may be a fraction. A lower limit applies at once; a higher one fills the
   * bucket at its rate.
   */
  change(perSecond: number): void {
    this.#perSecond = perSecond;
  }

  /** Takes one call; false when it is kept back. `nowMs` is monotonic. */
  take(nowMs: number): boolean {
    const earned = ((nowMs - this.#filledAtMs) * this.#perSecond) / 1000;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#capacity, this.#tokens + earned);
    if (this.#tokens < 1) return false;
    const fullness = this.#tokens / this.#capacity;
    if (fullness < RANDOM_DROP_BELOW && this.#random() >= fullness / RANDOM_DROP_BELOW) return false;
    this.#tokens--;
    return true;
  }

  /** A rate below one call a second means one call every few seconds. */
  get #capacity(): number {
    return Math.max(1, this.#perSecond);
  }
}
