import { systemTimer, type Timer } from './pause.ts';

/** Wakes all callers that wait for an event. */
export class Signal<T = void> {
  readonly #timer: Timer;
  readonly #waiting = new Set<(value: T) => void>();
  #raised = 0;

  constructor(timer: Timer = systemTimer) {
    this.#timer = timer;
  }

  /**
   * The number of times the signal was raised. A caller reads it before it checks its condition and passes it to {@link
   * Signal.wait}, so that a raise in between is not missed.
   */
  get raised(): number {
    return this.#raised;
  }

  raise(value: T): void {
    this.#raised++;
    for (const wake of [...this.#waiting]) wake(value);
  }

  /**
   * Resolves with the value when the signal is raised, with undefined after `waitMs`, and at once with undefined when
   * the signal was raised more than `since` times.
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
