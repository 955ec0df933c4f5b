import { StoreUnavailable } from '../ports/errors.ts';
import type { StateStore } from '../ports/store.ts';

/** Notices whether a store answers, whatever it is asked and whatever it answers. */
export class StoreWatch {
  /** The store, watched. */
  readonly store: StateStore;
  #answers = 0;
  #saves = 0;

  constructor(store: StateStore) {
    this.store = new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        return (...call: unknown[]) => {
          const outcome = value.apply(target, call) as unknown;
          if (outcome instanceof Promise) this.#follow(outcome, name === 'save');
          return outcome;
        };
      },
    });
  }

  /** Calls that the store has answered, be it by a refusal. */
  get answers(): number {
    return this.#answers;
  }

  /** Saves that went through. */
  get saves(): number {
    return this.#saves;
  }

  #follow(call: Promise<unknown>, isSave: boolean): void {
    call.then(
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
