/** Work that is under way once for each key: what asks for it meanwhile shares the result, or the failure. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** Keys whose work is under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Begins the work unless it is under way for the key. All that share it get the same promise. */
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

  /** Resolves when nothing is under way of what is so now, whatever comes of it. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
  }
}
