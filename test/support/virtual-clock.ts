import type { Clock } from '../../runtime/ports/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/**
 * A clock that starts at the system's time and stands still until a test advances it. It starts when it is first asked:
 * it may be made when its file is loaded, minutes before the test runs, and real servers forget by their own clocks.
 */
export class VirtualClock implements Clock {
  #startMs: number | null = null;
  #passedMs = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    this.#startMs ??= Date.now() - this.#passedMs;
    return this.#startMs + this.#passedMs;
  }

  monotonic(): number {
    return this.#passedMs;
  }

  /** A timer without a delay fires in the next turn of the event loop, without an advance of the clock. */
  after(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.#passedMs + Math.max(0, delayMs), fire };
    this.#timers.add(timer);
    if (delayMs <= 0) setImmediate(() => this.#fire(timer));
    return () => void this.#timers.delete(timer);
  }

  /** Advances the clock. Timers that become due fire in order, each at its own time. */
  advance(byMs: number): void {
    const endMs = this.#passedMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs);
      if (due.length === 0) break;
      const first = due.reduce((earliest, timer) => (timer.atMs < earliest.atMs ? timer : earliest));
      this.#passedMs = Math.max(this.#passedMs, first.atMs);
      this.#fire(first);
    }
    this.#passedMs = endMs;
  }

  #fire(timer: Timer): void {
    if (this.#timers.delete(timer)) timer.fire();
  }
}
