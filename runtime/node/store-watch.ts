import { StoreUnavailable } from '../ports/errors.ts';
import type { StateStore } from '../ports/store.ts';

/** Observes whether a store answers, whatever the call and the result. */
export class StoreWatch {
  /** The observed store. */
  readonly store: StateStore;
  #answers = 0;
  #saves = 0;

  constructor(store: StateStore) {
    this.store = new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const outcome = value.apply(target, args) as unknown;
          if (outcome instanceof Promise) this.#follow(outcome, name === 'save');
          return outcome;
        };
      },
    });
  }

  /** The number of calls that the store has answered, including rejections. */
  get answers(): number {
    return this.#answers;
  }

  /** The number of successful saves. */
  get saves(): number {
    return this.#saves;
  }

  #follow(args: Promise<unknown>, isSave: boolean): void {
    args.then(
      () => {
        this.#answers++;
        if (isSave) this.#saves++;
      },
      (error) => {
        if (!(error instanceof StoreUnavailable)) this.#answers++;
      },
    );
  }
}
