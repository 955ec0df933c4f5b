/** Runs the work of each key once at a time: callers that arrive meanwhile share its result or failure. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** Keys whose work is under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Whether the key's work is under way. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Starts the work unless the key's work is under way. All callers that share it get the same promise. */
  run(work: () => Promise<T>, key = ''): Promise<T> {
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      flight = work().finally(() => {
        this.#flights.delete(key);
      });
      this.#flights.set(key, flight);
    }
    return flight;
  }

  /** Resolves when all works that are under way now have ended, with or without failure. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
  }
}
