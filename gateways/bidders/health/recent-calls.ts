import type { ConnectionProblem } from '#actors/bidder-health/messages';
import { type CallTotals, RollingCounts } from '../rolling-counts.ts';

const WINDOW_MS = 5 * 60_000;
/** Number of buckets: calls leave the window in steps of five seconds. */
const BUCKETS = 60;

/** Figures of one bidder's calls of the last five minutes. */
export interface CallFigures extends CallTotals {
  /** Calls made each second since the previous figures, rounded. */
  readonly callsPerSecond: number;
  /** Time of its last bid, ms since the epoch; null: none since this edge started. */
  readonly lastBidAtMs: number | null;
  /** Why the latest connection over TLS was not made; null: it was, or there was none. */
  readonly connectionProblem: ConnectionProblem | null;
}

/**
 * Counts one bidder's calls for its operators, at the cost of one or two additions in an auction. Times are monotonic
 * ms.
 */
export class RecentCalls {
  readonly #window = new RollingCounts(WINDOW_MS, BUCKETS);
  #begun = 0;
  #figuresAtMs = 0;
  #lastBidAtMs: number | null = null;
  #connectionProblem: ConnectionProblem | null = null;

  begun(): void {
    this.#begun++;
  }

  /** `latencyMs` is 0 for a call that never reached the bidder. */
  answered(nowMs: number, latencyMs: number): void {
    this.#window.answered(nowMs, latencyMs);
  }

  timedOut(nowMs: number, latencyMs: number): void {
    this.#window.timedOut(nowMs, latencyMs);
  }

  failed(nowMs: number, latencyMs: number): void {
    this.#window.failed(nowMs, latencyMs);
  }

  /** Records that no connection over TLS could be made. */
  notConnected(problem: ConnectionProblem): void {
    this.#connectionProblem = problem;
  }

  /** Takes back what `notConnected` has recorded: an answer came, of any status, or the endpoint is another one. */
  forgetConnectionProblem(): void {
    this.#connectionProblem = null;
  }

  /** Records a bid; `atMs` is ms since the epoch. */
  bid(atMs: number): void {
    this.#lastBidAtMs = atMs;
  }

  /** The present figures; the rate starts from 0. */
  take(nowMs: number): CallFigures {
    const seconds = Math.max(1, (nowMs - this.#figuresAtMs) / 1000);
    const callsPerSecond = this.#begun === 0 ? 0 : Math.max(1, Math.round(this.#begun / seconds));
    this.#begun = 0;
    this.#figuresAtMs = nowMs;
    return {
      ...this.#window.totals(nowMs),
      callsPerSecond,
      lastBidAtMs: this.#lastBidAtMs,
      connectionProblem: this.#connectionProblem,
    };
  }
}
