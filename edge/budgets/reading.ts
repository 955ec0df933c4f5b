import type { Clock } from '../../runtime/ports/clock.ts';

/** An auction waits no longer than this for what it does not know. */
const READING_MS = 25;

/** What auctions wait for together: ends when all that was begun has ended, or when it takes too long. */
export class PendingReads {
  readonly #clock: Clock;
  readonly #begun = new Set<object>();
  /** Was waited for in vain, and has not ended. */
  readonly #late = new Set<object>();
  #current: Promise<void> | null = null;
  #end: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get current(): Promise<void> | null {
    return this.#current;
  }

  /** `what` is waited for from now on; {@link end} must follow. What took too long once is not waited for again. */
  begin(what: object): void {
    if (this.#late.has(what)) return;
    this.#begun.add(what);
    if (this.#current !== null) return;
    const current = new Promise<void>((resolve) => {
      // A process that was busy hears first what has arrived meanwhile.
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
