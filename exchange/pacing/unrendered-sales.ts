import type { RenderDelay } from './render-delay.ts';

/**
 * After this many times the mean delay, an open sale has 1/e of its weight: for what is likely, and for what is
 * possible.
 */
export const UNRENDERED_DECAY = { likely: 2, possible: 8 } as const;

/**
 * The weight that a sale still has when it is rendered at an unknown age: the mean over exponentially distributed
 * delays.
 */
export const TOLD_RENDER_LEAVES = {
  likely: UNRENDERED_DECAY.likely / (UNRENDERED_DECAY.likely + 1),
  possible: UNRENDERED_DECAY.possible / (UNRENDERED_DECAY.possible + 1),
} as const;

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

  /** `ageMs`: the time between sale and impression. */
  rendered(nanos: number, ageMs: number, nowMs: number): void {
    this.#settle(nowMs);
    this.#likelyNanos = Math.max(0, this.#likelyNanos - nanos * this.#weight(ageMs, UNRENDERED_DECAY.likely));
    this.#possibleNanos = Math.max(0, this.#possibleNanos - nanos * this.#weight(ageMs, UNRENDERED_DECAY.possible));
    this.#shownNanos += nanos;
  }

  /**
   * Sales and renders at other edges: their amounts, and what is still open of them at `nowMs`, which is less than 0
   * where sales that were counted before were rendered.
   */
  add(soldNanos: number, shownNanos: number, likelyNanos: number, possibleNanos: number, nowMs: number): void {
    this.#settle(nowMs);
    this.#likelyNanos = Math.max(0, this.#likelyNanos + likelyNanos);
    this.#possibleNanos = Math.max(0, this.#possibleNanos + possibleNanos);
    this.#soldNanos += soldNanos;
    this.#shownNanos += shownNanos;
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
    this.#likelyNanos = decayed(this.#likelyNanos, this.#weight(elapsedMs, UNRENDERED_DECAY.likely));
    this.#possibleNanos = decayed(this.#possibleNanos, this.#weight(elapsedMs, UNRENDERED_DECAY.possible));
    this.#atMs = nowMs;
  }

  #weight(ageMs: number, slowness: number): number {
    return weightAfter(Math.max(0, ageMs), slowness, this.#delay);
  }
}

/** The part of an open sale's weight that is left after `ageMs`; `slowness` is one of {@link UNRENDERED_DECAY}. */
export function weightAfter(ageMs: number, slowness: number, { meanMs }: RenderDelay): number {
  return Math.exp(-ageMs / (slowness * meanMs));
}

/** Applies a weight; less than 0.1 nano-dollars becomes 0. */
function decayed(nanos: number, weight: number): number {
  const left = nanos * weight;
  return left < 0.1 ? 0 : left;
}
