/** What is taken for the mean until impressions have said better, and for how many of them it stands. */
const GUESS_MS = 60_000;
const GUESS_COUNTS_FOR = 20;
/** So many impressions are remembered evenly; beyond, older ones count less and less. */
const REMEMBERED = 10_000;

/** How long ads usually take from their sale to their showing. */
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
