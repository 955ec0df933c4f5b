/**
 * Durations of one series of a histogram, counted in a plain array: an observation costs some nanoseconds and makes no
 * garbage, where one of a client library's histogram looks its labels up each time.
 */
export class DurationBuckets {
  /** One for each bound, not cumulated, and one more for what is beyond the last. */
  readonly counts: number[];
  /** Of all durations, ms. */
  sumMs = 0;
  readonly #boundsMs: readonly number[];

  /** `boundsMs`: upper bounds, inclusive, rising. */
  constructor(boundsMs: readonly number[]) {
    this.#boundsMs = boundsMs;
    this.counts = new Array(boundsMs.length + 1).fill(0);
  }

  observe(ms: number): void {
    const bounds = this.#boundsMs;
    let bucket = 0;
    while (bucket < bounds.length && ms > bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sumMs += ms;
  }
}
