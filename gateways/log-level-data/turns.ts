import { setImmediate } from 'node:timers/promises';

/** The ms after which work that takes long lets the event loop turn. */
const TURN_MS = 2;

/** Splits work that takes long, so that nothing else in the process waits for more than a few ms. */
export class Turns {
  #sinceMs = performance.now();

  /** Whether `yield` is due; to be asked every few rows. */
  get isOver(): boolean {
    return performance.now() - this.#sinceMs >= TURN_MS;
  }

  async yield(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}
