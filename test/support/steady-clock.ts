import type { Clock } from '../../runtime/ports/clock.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';

/** How often time goes on. */
const TICK_MS = 1;
/** At most this much time goes by between two turns of the event loop. */
const LONGEST_TICK_MS = 2;

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/**
 * A clock that goes on only while this process runs: as fast as the system's, but by two milliseconds at most for each turn of the
 * event loop. A machine that gives the process no time does not let leases run out and deadlines pass before what would have
 * renewed or met them has had its turn.
 */
class SteadyClock implements Clock {
  readonly #startMs = systemClock.now();
  #passedMs = 0;
  #tickedAtMs = systemClock.monotonic();
  /** In the order in which they are due. */
  #timers: Timer[] = [];

  constructor() {
    // What waits for this clock alone has a test's time limit beside it, which keeps the process.
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  now(): number {
    return this.#startMs + Math.floor(this.monotonic());
  }

  monotonic(): number {
    return this.#passedMs + Math.min(systemClock.monotonic() - this.#tickedAtMs, LONGEST_TICK_MS);
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.monotonic() + Math.max(TICK_MS, delayMs), fire };
    const later = this.#timers.findIndex(({ atMs }) => atMs > timer.atMs);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  #tick(): void {
    this.#passedMs = this.monotonic();
    this.#tickedAtMs = systemClock.monotonic();
    while (this.#timers[0] !== undefined && this.#timers[0].atMs <= this.#passedMs) this.#timers.shift()!.fire();
  }
}

/** One for all tests of a process, so that those who share time read the same. */
export const steadyClock: Clock = new SteadyClock();
