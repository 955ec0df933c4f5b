import type { Timer } from './pause.ts';
import { SingleFlight } from './single-flight.ts';

/** Work that is done again and again, `everyMs` after it has ended, and never twice at once. It must not reject. */
export class Ticker {
  readonly #timer: Timer;
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  readonly #flight = new SingleFlight<void>();
  #cancelTimer: (() => void) | null = null;

  constructor(timer: Timer, everyMs: number, work: () => Promise<void>) {
    this.#timer = timer;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** The first time after `everyMs`. */
  start(): void {
    this.#cancelTimer = this.#timer.after(this.#everyMs, () => {
      void this.now().finally(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  /** Begins it now; where it is under way, resolves with that. */
  now(): Promise<void> {
    return this.#flight.run(this.#work);
  }

  /** Ends the timer; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#flight.settled();
  }
}
