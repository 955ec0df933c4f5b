/** The longest time between two answers to those who ask again and again. */
export class LongestGap {
  #lastMs = performance.now();
  #longestMs = 0;

  onAnswer(): void {
    this.#longestMs = this.longestMs;
    this.#lastMs = performance.now();
  }

  /** When the latest answer came. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The silence that lasts yet counts as well. */
  get longestMs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastMs);
  }

  /** Looked at from now on. */
  reset(): void {
    this.#lastMs = performance.now();
    this.#longestMs = 0;
  }
}
