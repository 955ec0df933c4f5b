const REAL_NOW = Date.now;

/** Moves this process's clock, and with it everything in it that asks what time it is; timers keep theirs. */
export class ShiftedClock {
  #aheadMs = 0;

  /** The clock stands at `atMs` now, and goes on from there. */
  moveTo(atMs: number): void {
    this.#aheadMs = atMs - REAL_NOW();
    Date.now = () => REAL_NOW() + this.#aheadMs;
  }

  restore(): void {
    Date.now = REAL_NOW;
  }
}
