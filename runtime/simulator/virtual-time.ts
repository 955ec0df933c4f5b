import { EventQueue, type ScheduledEvent } from './event-queue.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Trace } from './trace.ts';

/** The wall clock's reading at virtual instant 0: 2026-03-01T00:00:00Z. */
export const EPOCH_MS = 1_772_323_200_000;

/**
 * The timeline of a simulated cluster. An event runs only when everything that the event before it started has ended:
 * `setImmediate` lets Node drain all promises in between. Events at one instant run in seeded order.
 */
export class VirtualTime {
  readonly #queue = new EventQueue();
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  #nowMs = 0;
  #events = 0;

  constructor(random: SeededRandom, trace: Trace) {
    this.#random = random;
    this.#trace = trace;
  }

  /** ms since the start of the run, with fractions. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** The number of events that have run. */
  get events(): number {
    return this.#events;
  }

  /** Runs `fire` after `delayMs`; the returned function cancels. */
  after(delayMs: number, label: string, fire: () => void): () => void {
    const event: ScheduledEvent = {
      atMs: this.#nowMs + Math.max(0, delayMs),
      tie: this.#random.next(),
      label,
      fire,
    };
    this.#queue.push(event);
    return () => {
      event.fire = null;
    };
  }

  sleep(delayMs: number, label: string): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, label, resolve));
  }

  /** What the promise comes to; null when it has not settled after `limitMs`. */
  async atMost<T>(promise: Promise<T>, limitMs: number, label: string): Promise<T | null> {
    let cancel = () => {};
    const limit = new Promise<null>((resolve) => {
      cancel = this.after(limitMs, label, () => resolve(null));
    });
    try {
      return await Promise.race([promise, limit]);
    } finally {
      cancel();
    }
  }

  /** Runs events until `done` returns true, or up to the instant `limitMs`, which is then the present instant. */
  run(done: () => boolean, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        try {
          const next = this.#queue.peek();
          if (done()) return resolve();
          if (next === undefined || next.atMs > limitMs) {
            this.#nowMs = Math.max(this.#nowMs, limitMs);
            return resolve();
          }
          this.#queue.pop();
          this.#nowMs = next.atMs;
          this.#events += 1;
          this.#trace.add(next.atMs, next.label);
          next.fire?.();
          setImmediate(turn);
        } catch (error) {
          reject(error);
        }
      };
      setImmediate(turn);
    });
  }
}
