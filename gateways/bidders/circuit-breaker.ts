import { RollingCounts } from './rolling-counts.ts';
import type { BreakerSettings } from './settings.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

const BUCKETS = 10;

/**
 * Pauses a bidder that times out or fails too often: closed → open when either rate reaches its threshold over the
 * window, with a minimum of calls → after `openMs` half_open, where one probe at a time is admitted → closed after
 * `probesToClose` successful ones in a row; a failed probe opens it again.
 *
 * The caller gives all times, in monotonic ms. Every call that `admit` let through must be settled once, by `answered`,
 * `timedOut` or `failed`, or taken back by `withdrawn`.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #window: RollingCounts;
  #state: BreakerState = 'closed';
  #openedAtMs = 0;
  #probing = false;
  #goodProbes = 0;
  /** Number of state changes. Calls started before the last change do not affect the state. */
  #generation = 0;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
    this.#window = new RollingCounts(settings.windowMs, BUCKETS);
  }

  /** The state that a caller would meet now: an open breaker whose pause is over is half open. */
  state(nowMs: number): BreakerState {
    if (this.#state === 'open' && nowMs - this.#openedAtMs >= this.#settings.openMs) return 'half_open';
    return this.#state;
  }

  /** A ticket that the caller returns when the call is settled, or -1: do not call. */
  admit(nowMs: number): number {
    if (this.#state === 'closed') return this.#generation;
    if (this.state(nowMs) === 'open' || this.#probing) return -1;
    if (this.#state === 'open') this.#change('half_open');
    this.#probing = true;
    return this.#generation;
  }

  answered(ticket: number, nowMs: number): void {
    if (ticket !== this.#generation) return;
    if (this.#state === 'closed') {
      this.#window.answered(nowMs);
      return;
    }
    this.#probing = false;
    if (++this.#goodProbes >= this.#settings.probesToClose) this.reset();
  }

  timedOut(ticket: number, nowMs: number): void {
    if (ticket !== this.#generation) return;
    if (this.#state === 'closed') {
      this.#window.timedOut(nowMs);
      this.#judge(nowMs);
    } else this.#open(nowMs);
  }

  failed(ticket: number, nowMs: number): void {
    if (ticket !== this.#generation) return;
    if (this.#state === 'closed') {
      this.#window.failed(nowMs);
      this.#judge(nowMs);
    } else this.#open(nowMs);
  }

  /** The call was not made after all. */
  withdrawn(ticket: number): void {
    if (ticket === this.#generation) this.#probing = false;
  }

  /**
   * Closes the breaker in any state, with an empty window: if the bidder still fails, it opens again within seconds.
   */
  reset(): void {
    this.#change('closed');
    this.#window.clear();
  }

  #judge(nowMs: number): void {
    const { calls, timeouts, errors } = this.#window.totals(nowMs);
    if (calls < this.#settings.minimumCalls) return;
    if (timeouts / calls >= this.#settings.timeoutRate || errors / calls >= this.#settings.errorRate) this.#open(nowMs);
  }

  #open(nowMs: number): void {
    this.#change('open');
    this.#openedAtMs = nowMs;
  }

  #change(state: BreakerState): void {
    this.#state = state;
    this.#probing = false;
    this.#goodProbes = 0;
    this.#generation++;
  }
}
