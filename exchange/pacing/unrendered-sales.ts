import type { RenderDelay } from './render-delay.ts';

/** So many times the mean delay, an open sale takes to lose all but 1/e of its weight. */
const LIKELY_DECAY_FACTOR = 2;
const POSSIBLE_DECAY_FACTOR = 8;

/**
 * What has been sold and may still be billed, in nano-dollars: the readings' "expected from reserved". An open sale loses weight
 * with its age, more slowly than showings come in, since whatever is still open is less and less likely to be shown; it loses all
 * of it when it is shown. So no sale is remembered one by one, and it does not matter which edge bills it. Against the true
 * expectation, at render rates from 0.3 to 1, what is likely is off by at most a third, of what is sold within minutes.
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

  /** `ageMs`: how long after its sale it was shown; null when that is not known. */
  rendered(nanos: number, ageMs: number | null, nowMs: number): void {
    this.#settle(nowMs);
    this.#likelyNanos = Math.max(0, this.#likelyNanos - nanos * this.#weightLeft(ageMs, LIKELY_DECAY_FACTOR));
    this.#possibleNanos = Math.max(0, this.#possibleNanos - nanos * this.#weightLeft(ageMs, POSSIBLE_DECAY_FACTOR));
    this.#shownNanos += nanos;
  }

  /** What might come to be billed of it, if all of it were shown and hardly later than usual. */
  possibleNanos(nowMs: number): number {
    this.#settle(nowMs);
    return this.#possibleNanos;
  }

  /**
   * What is likely to be billed of it: times the share that has been shown of what was sold and is not open any more. Until much
   * more than `cautionNanos` has been sold, nearly all is expected to be shown.
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

  /** With delays that fall off exponentially, for an age that is not known: the mean. */
  #weightLeft(ageMs: number | null, slowness: number): number {
    return ageMs === null ? slowness / (slowness + 1) : this.#weight(ageMs, slowness);
  }
}

/** Below a tenth of a nano-dollar there is nothing. */
function decayed(nanos: number, weight: number): number {
  const left = nanos * weight;
  return left < 0.1 ? 0 : left;
}
