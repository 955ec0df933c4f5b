import type { Clock } from '../../runtime/ports/clock.ts';

/** Short beside the time that an auction has. */
const SLICE_MS = 2;

/** Work that can take long, cut into slices: between two of them, whatever else the process does has its turn. */
export class TimeSlicer {
  readonly #clock: Clock;
  #begunMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asked after each piece of work. Undefined while the slice lasts; then what to wait for. */
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
