/** Half of a rate is forgotten in this time. */
const HALF_LIFE_MS = 5_000;
/** Sales of no less than this time make a rate: those of an instant would make any. */
const SHORTEST_MS = 100;
/** Until something is sold: a CPM of 10 dollars. */
const USUAL_PRICE_NANOS = 10_000_000;
/** The share of one sale in what sales usually cost. */
const PRICE_WEIGHT = 0.1;

/** How fast one holder is sold for lately, and at which price. Rises at once, falls slowly. */
export class SaleRate {
  #priceNanos: number | null = null;
  #soldNanos = 0;
  #sinceMs: number;
  #nanosPerMs = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Of a usual sale. */
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
    const elapsedMs = nowMs - this.#sinceMs;
    const latest = this.#soldNanos / Math.max(SHORTEST_MS, elapsedMs);
    if (elapsedMs < SHORTEST_MS) return Math.max(this.#nanosPerMs, latest);
    this.#nanosPerMs = Math.max(latest, this.#nanosPerMs * 0.5 ** (elapsedMs / HALF_LIFE_MS));
    this.#soldNanos = 0;
    this.#sinceMs = nowMs;
    return this.#nanosPerMs;
  }
}
