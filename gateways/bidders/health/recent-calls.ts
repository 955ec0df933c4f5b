import { type CallTotals, RollingCounts } from '../rolling-counts.ts';

const WINDOW_MS = 5 * 60_000;
/** What has left the window leaves it in steps of five seconds. */
const BUCKETS = 60;

/** What one bidder's calls of the last five minutes came to. */
export interface CallFigures extends CallTotals {
  /** Calls made each second since the figures before these, rounded. */
  readonly callsPerSecond: number;
  /** When it last bid, ms since the epoch; null: not since this edge began. */
  readonly lastBidAtMs: number | null;
}

/** Counts one bidder's calls for those who look after it; an auction pays an addition or two. Times are monotonic ms. */
export class RecentCalls {
  readonly #window = new RollingCounts(WINDOW_MS, BUCKETS);
  #begun = 0;
  #figuresAtMs = 0;
  #lastBidAtMs: number | null = null;

  begun(): void {
    this.#begun++;
  }

  /** `latencyMs` is 0 for a call that never got as far as the bidder. */
  answered(nowMs: number, latencyMs: number): void {
    this.#window.answered(nowMs, latencyMs);
  }

  timedOut(nowMs: number, latencyMs: number): void {
    this.#window.timedOut(nowMs, latencyMs);
  }

  failed(nowMs: number, latencyMs: number): void {
    this.#window.failed(nowMs, latencyMs);
  }

  /** It has bid; `atMs` is ms since the epoch. */
  bid(atMs: number): void {
    this.#lastBidAtMs = atMs;
  }

  /** The figures now; the rate begins anew. */
  take(nowMs: number): CallFigures {
    const seconds = Math.max(1, (nowMs - this.#figuresAtMs) / 1000);
    const callsPerSecond = this.#begun === 0 ? 0 : Math.max(1, Math.round(this.#begun / seconds));
    this.#begun = 0;
    this.#figuresAtMs = nowMs;
    return { ...this.#window.totals(nowMs), callsPerSecond, lastBidAtMs: this.#lastBidAtMs };
  }
}
