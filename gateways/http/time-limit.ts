import { setMaxListeners } from 'node:events';
import type { Clock } from '../../runtime/ports/clock.ts';

/** The time limit has passed. The message is a sentence without its subject: `did not answer within 1.5 s`. */
class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed';
}

/**
 * A deadline that can be extended when a step has been reached. When it passes, `signal` aborts with a
 * `TimeLimitPassed`.
 */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #outer: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort(this.#outer?.reason);
  #cancel: () => void = () => {};

  /** `outer` aborts the signal as well. `what` is the verb phrase of the message. */
  constructor(clock: Clock, ms: number, what: string, outer?: AbortSignal) {
    this.#clock = clock;
    // All concurrent fetches within the limit listen to its signal.
    setMaxListeners(0, this.#controller.signal, ...(outer ? [outer] : []));
    this.#outer = outer;
    if (outer?.aborted) this.#follow();
    else outer?.addEventListener('abort', this.#follow);
    this.restart(ms, what);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Restarts the limit: from now on `ms` are left for the step that `what` names, as in `did not load within 1.5 s`.
   */
  restart(ms: number, what: string): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () =>
      this.#controller.abort(this.passed(`did not ${what} within ${ms / 1000} s`)),
    );
  }

  protected passed(message: string): Error {
    return new TimeLimitPassed(message);
  }

  end(): void {
    this.#cancel();
    this.#outer?.removeEventListener('abort', this.#follow);
  }
}
