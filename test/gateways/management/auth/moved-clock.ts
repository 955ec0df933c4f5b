import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';

/** The system's clock, further on by as much as a test says. */
export class MovedClock implements Clock {
  #aheadMs = 0;

  move(byMs: number): void {
    this.#aheadMs += byMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(delayMs: number, fire: () => void): () => void {
    return systemClock.after(delayMs, fire);
  }
}
