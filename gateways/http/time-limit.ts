import { setMaxListeners } from 'node:events';
import type { Clock } from '../../runtime/ports/clock.ts';

/** Nobody answered in time. The message is a sentence without its subject: `did not answer within 1.5 s`. */
class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed';
}

/** A deadline that may be put off once something has been reached. Past it, `signal` aborts with a `TimeLimitPassed`. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #outer: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort(this.#outer?.reason);
  #cancel: () => void = () => {};

  /** `outer` ends it too. */
  constructor(clock: Clock, ms: number, what: string, outer?: AbortSignal) {
    this.#clock = clock;
    // Everything that is fetched at once within it listens.
    setMaxListeners(0, this.#controller.signal, ...(outer ? [outer] : []));
    this.#outer = outer;
    if (outer?.aborted) this.#follow();
    else outer?.addEventListener('abort', this.#follow);
    this.restart(ms, what);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on there are `ms` for what is named: `did not load within 1.5 s`. */
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
