import type { Clock } from '../runtime/ports/clock.ts';

/** Work that is done again and again, `everyMs` after it has ended, and never twice at once. It must not reject. */
export class Repeated {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  #cancelTimer: (() => void) | null = null;
  #underWay: Promise<void> | null = null;

  constructor(clock: Clock, everyMs: number, work: () => Promise<void>) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** The first time after `everyMs`. */
  start(): void {
    this.#cancelTimer = this.#clock.after(this.#everyMs, () => {
      void this.now().finally(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  /** Begins it now; where it is under way, resolves with that. */
  now(): Promise<void> {
    this.#underWay ??= this.#work().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** Ends the timer; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#underWay;
  }
}
