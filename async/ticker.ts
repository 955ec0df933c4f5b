import type { Timer } from './pause.ts';
import { SingleFlight } from './single-flight.ts';

/** Repeats work `everyMs` after its last run has ended, never twice at once. The work must not reject. */
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

  /** Starts the timer; the first run is after `everyMs`. */
  start(): void {
    this.#cancelTimer = this.#timer.after(this.#everyMs, () => {
      void this.now().finally(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  /** Runs the work now, or joins the run that is under way. */
  now(): Promise<void> {
    return this.#flight.run(this.#work);
  }

  /** Stops the timer; resolves when no run is under way. */
  async stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#flight.settled();
  }
}
