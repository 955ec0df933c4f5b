import type { Clock } from '../../runtime/ports/clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** New creatives of one demand source in a minute: each is a document, a scan, and up to 64 KB of markup. */
const MOST_PER_MINUTE = 100;

/**
 * Counts the new creatives of each demand source at this edge: so many in a minute, and so many in a day. Each one
 * leaves the tombstone of its document for ever, however soon it is forgotten. The counts of a process begin at its
 * start.
 */
export class NewCreatives {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #windows: readonly Window[];

  constructor(clock: Pick<Clock, 'monotonic'>, mostPerDay: number) {
    this.#clock = clock;
    this.#windows = [new Window(MINUTE_MS, MOST_PER_MINUTE), new Window(DAY_MS, mostPerDay)];
  }

  /** Counts a new creative; false, and not counted, where the demand source has had too many. */
  take(dspId: string): boolean {
    const nowMs = this.#clock.monotonic();
    if (this.#windows.some((window) => !window.hasRoom(dspId, nowMs))) return false;
    for (const window of this.#windows) window.add(dspId, 1);
    return true;
  }

  /** What was counted turned out to be no creative, and its actor was told nothing. */
  giveBack(dspId: string): void {
    for (const window of this.#windows) window.add(dspId, -1);
  }
}

/** Counts by demand source, all of which begin anew when the time is over. */
class Window {
  readonly #lengthMs: number;
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #number = 0;

  constructor(lengthMs: number, most: number) {
    this.#lengthMs = lengthMs;
    this.#most = most;
  }

  hasRoom(dspId: string, nowMs: number): boolean {
    const number = Math.floor(nowMs / this.#lengthMs);
    if (number !== this.#number) {
      this.#number = number;
      this.#counts.clear();
    }
    return (this.#counts.get(dspId) ?? 0) < this.#most;
  }

  add(dspId: string, count: 1 | -1): void {
    this.#counts.set(dspId, Math.max(0, (this.#counts.get(dspId) ?? 0) + count));
  }
}
