import type { Clock } from '#runtime/ports/clock';

/** A clock that stands still until a test moves it. */
export class SteppedClock implements Clock {
  #nowMs = 0;
  #timers: { readonly atMs: number; readonly fire: () => void }[] = [];

  now(): number {
    return 1_700_000_000_000 + this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Time passes in which nothing runs, as in a process that is paused. */
  pass(forMs: number): void {
    this.#nowMs += forMs;
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Moves on to the next timer, fires it, and lets everything that it sets in motion come to rest. */
  async step(): Promise<void> {
    const next = this.#timers.reduce((first, timer) => (timer.atMs < first.atMs ? timer : first));
    this.#timers = this.#timers.filter((other) => other !== next);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.fire();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
