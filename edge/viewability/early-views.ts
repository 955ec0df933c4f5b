import { Ticker } from '../../async/ticker.ts';
import type { Clock } from '../../runtime/ports/clock.ts';

const ASK_AGAIN_MS = 2_000;
/**
 * ms for which a report is held. An impression that is not billed within this time after it was seen is nearly never
 * billed.
 */
const HELD_MS = 60_000;
/** Upper bound of held reports, of some 500 bytes each. */
const MOST_HELD = 20_000;

interface HeldMeasurement<V> {
  readonly view: V;
  readonly untilMs: number;
}

/**
 * Viewability reports that arrived before their impression was billed: a beacon may overtake a pixel, or the log was
 * away. They are retried for a minute; their number is bounded.
 */
export class PendingViewability<V> {
  readonly #clock: Clock;
  readonly #tryAgain: (item: V) => Promise<boolean>;
  readonly #givenUp: (item: V) => void;
  readonly #held = new Map<string, HeldMeasurement<V>>();
  readonly #asking: Ticker;

  /** `tryAgain` resolves with whether there is nothing left to wait for, and does not reject. */
  constructor(clock: Clock, tryAgain: (item: V) => Promise<boolean>, givenUp: (item: V) => void) {
    this.#clock = clock;
    this.#tryAgain = tryAgain;
    this.#givenUp = givenUp;
    this.#asking = new Ticker(clock, ASK_AGAIN_MS, () => this.#askAll());
  }

  /** Holds one report for each name, and none beyond the bound. */
  hold(name: string, item: V): void {
    if (this.#held.has(name)) return;
    if (this.#held.size >= MOST_HELD) this.#givenUp(item);
    else this.#held.set(name, { view: item, untilMs: this.#clock.monotonic() + HELD_MS });
  }

  start(): void {
    this.#asking.start();
  }

  /** Retries once more, and gives up what still waits. */
  async close(): Promise<void> {
    await this.#asking.stop();
    await this.#asking.now();
    for (const { view: item } of this.#held.values()) this.#givenUp(item);
    this.#held.clear();
  }

  async #askAll(): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const retries = [...this.#held].map(async ([name, { view: item, untilMs }]) => {
      const settled = await this.#tryAgain(item);
      if (!settled && nowMs < untilMs) return;
      this.#held.delete(name);
      if (!settled) this.#givenUp(item);
    });
    await Promise.all(retries);
  }
}
