/** Wakes whoever waits for something to happen. */
export class Bell {
  readonly #waiting = new Set<() => void>();
  #rings = 0;

  /** How often it has rung. Taken before looking, and given to {@link Bell.wait}, so that no ring is missed between. */
  get rings(): number {
    return this.#rings;
  }

  ring(): void {
    this.#rings++;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves when it has rung more than `rings` times, or after `waitMs`. */
  wait(rings: number, waitMs: number): Promise<void> {
    if (this.#rings > rings || waitMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      this.#waiting.add(wake);
    });
  }
}
