import type { Clock } from '../../runtime/ports/clock.ts';

/** Length of a slice, ms: short compared with the time of an auction. */
const SLICE_MS = 2;

/** Cuts long work into slices: other work of the process has its turn between two of them. */
export class TimeSlicer {
  readonly #clock: Clock;
  #begunMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be called after each piece of work. Undefined while the slice lasts; then a promise to wait for. */
  yieldIfDue(): Promise<void> | undefined {
    if (this.#clock.monotonic() - this.#begunMs < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#begunMs = this.#clock.monotonic();
        resolve();
      });
    });
  }
}
