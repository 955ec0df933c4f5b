/** At most so many calls in any one second, counted by a token bucket that refills evenly. */
export class CallRate {
  #perSecond: number;
  #tokens: number;
  #filledAtMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  /** From the next call on. A lower limit holds at once; a higher one is earned. */
  change(perSecond: number): void {
    this.#perSecond = perSecond;
  }

  /** Takes one call; false when none is left. `nowMs` is monotonic. */
  take(nowMs: number): boolean {
    const earned = ((nowMs - this.#filledAtMs) * this.#perSecond) / 1000;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + earned);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
