/** The initial guess of the mean delay; it weighs as much as 20 impressions. */
const GUESS_MS = 60_000;
const GUESS_COUNTS_FOR = 20;
/** Up to this many impressions have equal weight; beyond it, all weights so far are halved. */
const REMEMBERED = 10_000;

/** The mean delay between the sale of an ad and its rendering, learnt from impressions. */
export class RenderDelay {
  #sumMs = GUESS_MS * GUESS_COUNTS_FOR;
  #count = GUESS_COUNTS_FOR;

  get meanMs(): number {
    return this.#sumMs / this.#count;
  }

  observe(delayMs: number): void {
    this.#sumMs += Math.max(0, delayMs);
    this.#count += 1;
    if (this.#count < REMEMBERED) return;
    this.#sumMs /= 2;
    this.#count /= 2;
  }
}
