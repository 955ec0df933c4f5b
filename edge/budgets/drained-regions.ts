import type { Clock } from '../../runtime/ports/clock.ts';
import { drainedThroughMs } from '../../runtime/ports/relayed.ts';

const READ_EVERY_MS = 60_000;

/**
 * Up to when the regions with logs of their own are drained, as this edge knows it: read in the background now and
 * then.
 */
export class DrainedRegions {
  readonly #read: () => Promise<number | null>;
  readonly #clock: Clock;
  #throughMs: number | null | undefined;
  /** Of the monotonic clock. */
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(read: () => Promise<number | null>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** ms since the epoch; null where there are no such regions. What is not known any more is as it was. */
  get throughMs(): number | null {
    const atMs = this.#clock.monotonic();
    if (atMs - this.#readAtMs >= READ_EVERY_MS) {
      this.#readAtMs = atMs;
      // A failure leaves what was known; the next time comes.
      void this.#read().then(
        (throughMs) => {
          this.#throughMs = throughMs;
        },
        () => {},
      );
    }
    return this.#throughMs === null ? null : drainedThroughMs(this.#throughMs ?? 0, this.#clock.now());
  }
}
