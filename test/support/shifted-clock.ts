const REAL_NOW = Date.now;

/** Moves the wall clock (`Date.now`) of this process; timers are not affected. */
export class ShiftedClock {
  #aheadMs = 0;

  /** Sets the clock to `atMs`; it runs on from there. */
  moveTo(atMs: number): void {
    this.#aheadMs = atMs - REAL_NOW();
    Date.now = () => REAL_NOW() + this.#aheadMs;
  }

  restore(): void {
    Date.now = REAL_NOW;
  }
}
