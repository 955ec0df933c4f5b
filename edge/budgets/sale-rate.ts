/** Half-life of a rate, ms. */
const HALF_LIFE_MS = 5_000;
/** Shortest span of sales, ms, that makes a rate: sales of one instant would make an unbounded one. */
const SHORTEST_MS = 100;
/** Price until something is sold, in nano-dollars: a CPM of 10 dollars. */
const USUAL_PRICE_NANOS = 10_000_000;
/** Weight of one sale in the average price. */
const PRICE_WEIGHT = 0.1;

/** The present rate of one holder's sales and their average price. The rate rises at once and falls slowly. */
export class SaleRate {
  #priceNanos: number | null = null;
  #soldNanos = 0;
  #sinceMs: number;
  #nanosPerMs = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Price of a usual sale, in nano-dollars. */
  get priceNanos(): number {
    return this.#priceNanos ?? USUAL_PRICE_NANOS;
  }

  get hasSold(): boolean {
    return this.#priceNanos !== null;
  }

  addSale(nanos: number): void {
    this.#soldNanos += nanos;
    this.#priceNanos = this.#priceNanos === null ? nanos : this.#priceNanos + PRICE_WEIGHT * (nanos - this.#priceNanos);
  }

  removeSale(nanos: number): void {
    this.#soldNanos = Math.max(0, this.#soldNanos - nanos);
  }

  nanosPerMs(nowMs: number): number {
    // The clock was set back: else all that is sold until it is here again would count as sold at once.
    if (nowMs < this.#sinceMs) this.#sinceMs = nowMs;
    const elapsedMs = nowMs - this.#sinceMs;
    const latest = this.#soldNanos / Math.max(SHORTEST_MS, elapsedMs);
    if (elapsedMs < SHORTEST_MS) return Math.max(this.#nanosPerMs, latest);
    this.#nanosPerMs = Math.max(latest, this.#nanosPerMs * 0.5 ** (elapsedMs / HALF_LIFE_MS));
    this.#soldNanos = 0;
    this.#sinceMs = nowMs;
    return this.#nanosPerMs;
  }
}
