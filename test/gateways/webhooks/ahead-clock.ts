import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';

/** The system's clock, but further on by as much as a test says, and timers with it. */
export class AheadClock implements Clock {
  #aheadMs = 0;
  readonly #timers = new Set<{ readonly atMs: number; readonly fire: () => void; cancel: () => void }>();

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.now() + delayMs, fire: () => this.#timers.delete(timer) && fire(), cancel: () => {} };
    timer.cancel = systemClock.after(delayMs, timer.fire);
    this.#timers.add(timer);
    return () => {
      timer.cancel();
      this.#timers.delete(timer);
    };
  }

  advance(byMs: number): void {
    this.#aheadMs += byMs;
    for (const timer of [...this.#timers]) {
      if (timer.atMs > this.now()) continue;
      timer.cancel();
      timer.fire();
    }
  }
}
