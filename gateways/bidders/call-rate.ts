/** Below this share of a second's worth, calls begin to be kept back at random: so few are left that not all can be made. */
const RANDOM_DROP_BELOW = 0.5;

/**
 * At most so many calls in any one second: a token bucket that refills evenly and holds a second's worth. Where more is wanted
 * than there is, calls are kept back at random, more and more of them the emptier it is, so that the bidder sees a sample of all
 * traffic and not the first part of every second.
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

  /** From the next call on; may be a fraction. A lower limit holds at once; a higher one is earned. */
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

  /** Less than a call a second is one call every few seconds. */
  get #capacity(): number {
    return Math.max(1, this.#perSecond);
  }
}
