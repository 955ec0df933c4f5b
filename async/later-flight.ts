/**
 * Runs a work once at a time, so that each caller gets a run that has begun after its call: callers that arrive while
 * one is under way share the next.
 */
export class LaterFlight<T> {
  readonly #work: () => Promise<T>;
  #present: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  run(): Promise<T> {
    if (this.#present === null) return this.#begin();
    this.#next ??= this.#present.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<T> {
    this.#next = null;
    const flight = this.#work().finally(() => {
      if (this.#present === flight) this.#present = null;
    });
    this.#present = flight;
    return flight;
  }
}
