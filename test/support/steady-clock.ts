import type { Clock } from '../../runtime/ports/clock.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';

/** The clock advances at this interval. */
const TICK_MS = 1;
/** The clock advances by at most this much per turn of the event loop. */
const LONGEST_TICK_MS = 2;

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/**
 * A clock that advances only while this process runs: as fast as the system's, but at most 2 ms per turn of the event
 * loop. When the machine gives the process no time, leases do not run out and deadlines do not pass before the code
 * that would renew or meet them has run.
 */
class SteadyClock implements Clock {
  readonly #startMs = systemClock.now();
  #passedMs = 0;
  #tickedAtMs = systemClock.monotonic();
  /** Timers by due time. */
  #timers: Timer[] = [];

  constructor() {
    // The interval does not keep the process alive: a test that waits for this clock has a time limit that does.
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

/** One clock for all tests of a process, so that components that share time read the same one. */
export const steadyClock: Clock = new SteadyClock();

/** The wall clock is the system's. Deadlines pass only while this process runs, because it runs the bidders, too. */
export const steadyDeadlines: Clock = {
  now: systemClock.now,
  monotonic: () => steadyClock.monotonic(),
  after: (delayMs, fire) => steadyClock.after(delayMs, fire),
};
