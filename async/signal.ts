import { systemTimer, type Timer } from './pause.ts';

/** Wakes all that wait for something to happen. */
export class Signal<T = void> {
  readonly #timer: Timer;
  readonly #waiting = new Set<(value: T) => void>();
  #raised = 0;

  constructor(timer: Timer = systemTimer) {
    this.#timer = timer;
  }

  /** How often it was raised. Taken before looking, and given to {@link Signal.wait}, so that none is missed in between. */
  get raised(): number {
    return this.#raised;
  }

  raise(value: T): void {
    this.#raised++;
    for (const wake of [...this.#waiting]) wake(value);
  }

  /**
   * Resolves when it is raised, with what it is raised with; with undefined after `waitMs`, and at once when it was raised more than
   * `since` times.
   */
  wait(waitMs: number, since = this.#raised): Promise<T | undefined> {
    if (this.#raised > since || waitMs <= 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (value: T | undefined) => {
        cancel();
        this.#waiting.delete(end);
        resolve(value);
      };
      const cancel = this.#timer.after(waitMs, () => end(undefined));
      this.#waiting.add(end);
    });
  }
}
