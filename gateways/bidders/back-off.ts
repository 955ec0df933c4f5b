import { RollingCounts } from './rolling-counts.ts';

const WINDOW_MS = 10_000;
const BUCKETS = 10;
/** Calls within the window below which there is no judgement. */
const MINIMUM_CALLS = 20;
/** Share of failed calls, by timeout or overload, from which calls are kept back. */
const FROM_SHARE = 0.2;
/** Share of failed calls at which the most calls are kept back: where the circuit breaker would open. */
const TO_SHARE = 0.5;
/** Upper bound of the share kept back. The rest is still called, to see whether the bidder has recovered. */
const MOST_KEPT_BACK = 0.8;

/**
 * Reduces the calls of a bidder before its circuit breaker must pause it: the more of its calls time out or are refused
 * for load (429, 503), the larger the share of further calls that is kept back, at random. A bidder that was merely
 * asked too often settles at a rate that it can answer. A bidder that is slow at any rate keeps a steady part of the
 * traffic, and does not starve.
 */
export class BackOff {
  readonly #window = new RollingCounts(WINDOW_MS, BUCKETS);
  readonly #random: () => number;
  /**
   * Time of the last judgement. The share is computed at most four times for each bucket of the window, as it is
   * needed before every call.
   */
  #judgedAtMs = Number.NEGATIVE_INFINITY;
  #keptBack = 0;

  /** `random`: uniform in [0, 1). */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Counts a call that the bidder answered. Times are monotonic ms. */
  coped(nowMs: number): void {
    this.#window.answered(nowMs);
  }

  overloaded(nowMs: number): void {
    this.#window.timedOut(nowMs);
  }

  /** Whether this call is to be kept back. */
  keepsBack(nowMs: number): boolean {
    const share = this.shareKeptBack(nowMs);
    return share > 0 && this.#random() < share;
  }

  /** The share of calls kept back, 0 to 0.8. */
  shareKeptBack(nowMs: number): number {
    if (nowMs - this.#judgedAtMs < WINDOW_MS / BUCKETS / 4) return this.#keptBack;
    this.#judgedAtMs = nowMs;
    const { calls, timeouts } = this.#window.totals(nowMs);
    const steepness = (calls < MINIMUM_CALLS ? 0 : timeouts / calls - FROM_SHARE) / (TO_SHARE - FROM_SHARE);
    this.#keptBack = MOST_KEPT_BACK * Math.min(1, Math.max(0, steepness));
    return this.#keptBack;
  }

  reset(): void {
    this.#window.clear();
    this.#judgedAtMs = Number.NEGATIVE_INFINITY;
  }
}
