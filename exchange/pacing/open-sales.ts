/** What is taken for the mean time from sale to showing until impressions have said better, and for how many of them it stands. */
const DELAY_GUESS_MS = 60_000;
const GUESS_COUNTS_FOR = 20;

/** How long ads usually take from their sale to their showing. */
export class ShowingDelay {
  #sumMs = DELAY_GUESS_MS * GUESS_COUNTS_FOR;
  #count = GUESS_COUNTS_FOR;

  get meanMs(): number {
    return this.#sumMs / this.#count;
  }

  observe(delayMs: number): void {
    this.#sumMs += Math.max(0, delayMs);
    this.#count += 1;
    if (this.#count < 10_000) return;
    // The older half counts half.
    this.#sumMs /= 2;
    this.#count /= 2;
  }
}

/** With delays that fall off exponentially, the weight that an impression had left when it was shown, on average. */
const MEAN_WEIGHT_LEFT = 2 / 3;

/**
 * What has been sold and may still be billed, in nano-dollars: the readings' "expected from reserved". An open sale loses weight
 * with its age, half as fast as showings come in, since whatever is still open is less likely ever to be shown; it loses all of it
 * when it is shown. So no sale is remembered one by one, and it does not matter which edge bills it. Against the true
 * expectation, at render rates from 0.3 to 1 and any age, that is off by at most a third, of what is sold within minutes.
 */
export class OpenSales {
  readonly #delay: ShowingDelay;
  #openNanos = 0;
  #atMs: number;
  #soldNanos = 0;
  #shownNanos = 0;

  constructor(delay: ShowingDelay, nowMs: number) {
    this.#delay = delay;
    this.#atMs = nowMs;
  }

  sold(nanos: number, nowMs: number): void {
    this.#settle(nowMs);
    this.#openNanos += nanos;
    this.#soldNanos += nanos;
  }

  /** `ageMs`: how long after its sale it was shown; null when that is not known. */
  shown(nanos: number, ageMs: number | null, nowMs: number): void {
    this.#settle(nowMs);
    const weight = ageMs === null ? MEAN_WEIGHT_LEFT : this.#weight(ageMs);
    this.#openNanos = Math.max(0, this.#openNanos - nanos * weight);
    this.#shownNanos += nanos;
  }

  /** What is open, as if all of it came to be shown. */
  openNanos(nowMs: number): number {
    this.#settle(nowMs);
    return this.#openNanos;
  }

  /**
   * What is likely to be billed of it: times the share that has been shown of what was sold and is not open any more. Until much
   * more than `cautionNanos` has been sold, nearly all is expected to be shown.
   */
  expectedNanos(nowMs: number, cautionNanos: number): number {
    const open = this.openNanos(nowMs);
    if (open === 0) return 0;
    const rate = (this.#shownNanos + cautionNanos) / (this.#soldNanos - open + cautionNanos);
    return open * Math.min(1, rate);
  }

  #settle(nowMs: number): void {
    if (nowMs <= this.#atMs) return;
    this.#openNanos *= this.#weight(nowMs - this.#atMs);
    this.#atMs = nowMs;
    // Below a tenth of a nano-dollar.
    if (this.#openNanos < 0.1) this.#openNanos = 0;
  }

  #weight(ageMs: number): number {
    return Math.exp(-Math.max(0, ageMs) / (2 * this.#delay.meanMs));
  }
}
