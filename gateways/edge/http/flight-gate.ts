/** Counts what is under way, turns away what would be too much, and tells when all has ended. */
export class FlightGate {
  readonly #max: number;
  #inFlight = 0;
  #whenEmpty: (() => void) | null = null;

  constructor(max: number) {
    this.#max = max;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False when full. Whoever is let in must `leave` once. */
  enter(): boolean {
    if (this.#inFlight >= this.#max) return false;
    this.#inFlight++;
    return true;
  }

  leave(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#whenEmpty?.();
  }

  empty(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
