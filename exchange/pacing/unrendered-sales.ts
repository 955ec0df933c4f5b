import type { RenderDelay } from './render-delay.ts';

/**
 * After this many times the mean delay, an open sale has 1/e of its weight: for what is likely, and for what is
 * possible.
 */
const LIKELY_DECAY_FACTOR = 2;
const POSSIBLE_DECAY_FACTOR = 8;

/**
 * The amount that was sold and may still be billed, in nano-dollars: the readings' "expected from reserved". An open
 * sale loses weight with its age, more slowly than impressions arrive, since a sale that is still open is less and less
 * likely to be rendered. When it is rendered, it loses all of its weight. No sale is remembered by itself, and it does
 * not matter which edge bills it. At render rates from 0.3 to 1, the likely amount differs from the true expectation by
 * at most a third of what is sold within minutes.
 */
export class UnrenderedSales {
  readonly #delay: RenderDelay;
  #likelyNanos = 0;
  #possibleNanos = 0;
  #atMs: number;
  #soldNanos = 0;
  #shownNanos = 0;

  constructor(delay: RenderDelay, nowMs: number) {
    this.#delay = delay;
    this.#atMs = nowMs;
  }

  sold(nanos: number, nowMs: number): void {
    this.#settle(nowMs);
    this.#likelyNanos += nanos;
    this.#possibleNanos += nanos;
    this.#soldNanos += nanos;
  }

  /** `ageMs`: the time between sale and impression; null when it is not known. */
  rendered(nanos: number, ageMs: number | null, nowMs: number): void {
    this.#settle(nowMs);
    this.#likelyNanos = Math.max(0, this.#likelyNanos - nanos * this.#weightLeft(ageMs, LIKELY_DECAY_FACTOR));
    this.#possibleNanos = Math.max(0, this.#possibleNanos - nanos * this.#weightLeft(ageMs, POSSIBLE_DECAY_FACTOR));
    this.#shownNanos += nanos;
  }

  /** The amount that might still be billed, if all sales were rendered and hardly later than usual. */
  possibleNanos(nowMs: number): number {
    this.#settle(nowMs);
    return this.#possibleNanos;
  }

  /**
   * The amount that is likely to be billed: the open amount times the render rate of the sales that are no longer open.
   * Until much more than `cautionNanos` has been sold, a render rate of nearly 1 is assumed.
   */
  expectedNanos(nowMs: number, cautionNanos: number): number {
    this.#settle(nowMs);
    const open = this.#likelyNanos;
    if (open === 0) return 0;
    const rate = (this.#shownNanos + cautionNanos) / (this.#soldNanos - open + cautionNanos);
    return open * Math.min(1, rate);
  }

  #settle(nowMs: number): void {
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs <= 0) return;
    this.#likelyNanos = decayed(this.#likelyNanos, this.#weight(elapsedMs, LIKELY_DECAY_FACTOR));
    this.#possibleNanos = decayed(this.#possibleNanos, this.#weight(elapsedMs, POSSIBLE_DECAY_FACTOR));
    this.#atMs = nowMs;
  }

  #weight(ageMs: number, slowness: number): number {
    return Math.exp(-Math.max(0, ageMs) / (slowness * this.#delay.meanMs));
  }

  /**
   * The weight that a sale still has at this age. For an unknown age it is the mean over exponentially distributed
   * delays.
   */
  #weightLeft(ageMs: number | null, slowness: number): number {
    return ageMs === null ? slowness / (slowness + 1) : this.#weight(ageMs, slowness);
  }
}

/** Applies a weight; less than 0.1 nano-dollars becomes 0. */
function decayed(nanos: number, weight: number): number {
  const left = nanos * weight;
  return left < 0.1 ? 0 : left;
}
