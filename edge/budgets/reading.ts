import type { Clock } from '../../runtime/ports/clock.ts';

/** Longest wait, ms, of an auction for something unknown. */
const READING_MS = 25;

/**
 * The reads that auctions wait for together. The wait ends when all reads begun have ended, or when it takes too long.
 */
export class PendingReads {
  readonly #clock: Clock;
  readonly #begun = new Set<object>();
  /** Reads that were waited for in vain and have not ended. */
  readonly #late = new Set<object>();
  #current: Promise<void> | null = null;
  #end: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get current(): Promise<void> | null {
    return this.#current;
  }

  /**
   * Adds `what` to the reads that are waited for; {@link end} must follow. A read that took too long once is not waited
   * for again.
   */
  begin(what: object): void {
    if (this.#late.has(what)) return;
    this.#begun.add(what);
    if (this.#current !== null) return;
    const current = new Promise<void>((resolve) => {
      // A process that was busy first handles the answers that have arrived meanwhile.
      const cancel = this.#clock.after(READING_MS, () => void setImmediate(resolve));
      this.#end = () => {
        cancel();
        resolve();
      };
    });
    this.#current = current;
    void current.then(() => {
      this.#current = null;
      for (const late of this.#begun) this.#late.add(late);
      this.#begun.clear();
    });
  }

  end(what: object): void {
    this.#late.delete(what);
    if (this.#begun.delete(what) && this.#begun.size === 0) this.#end?.();
  }
}
