import { Ticker } from '../../async/ticker.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums } from '../../runtime/ports/expiring-sums.ts';
import type { Bidder } from './bidder.ts';

const SHARE_EVERY_MS = 1_000;
/** Length of a window of counts, ms; a window is read when it is over. */
const WINDOW_MS = 2_000;
const KEEP_MS = 5 * WINDOW_MS;

export interface SharedCallRatesOptions {
  readonly bidders: { all(): Iterable<Bidder> };
  /** Sums shared by the whole exchange. */
  readonly sums: ExpiringSums;
  readonly clock: Clock;
}

/** The counts that this edge has added to one window. */
interface WindowCounts {
  readonly window: number;
  /** Requested calls by DSP id. */
  readonly wanted: Map<string, number>;
}

/**
 * Divides each DSP's `qps_limit`, which applies to the whole exchange, among the edges. Each edge's part is in
 * proportion to the calls that it wanted to make, so that an edge with half of the traffic has half of the limit; the
 * part that no edge wanted is divided evenly. Once a second an edge adds its requested calls to sums that all edges
 * share, and reads those of the last window of two seconds.
 *
 * An edge that has just begun to call a bidder has an even part until it has been counted, for two to four seconds.
 * While the sums cannot be reached, the parts stay as they were.
 */
export class SharedCallRates {
  readonly #options: SharedCallRatesOptions;
  #current: WindowCounts = { window: 0, wanted: new Map() };
  #last: WindowCounts = { window: 0, wanted: new Map() };
  /** Number of edges that have called any bidder lately, this one included. */
  #edges = 1;
  readonly #sharing: Ticker;

  constructor(options: SharedCallRatesOptions) {
    this.#options = options;
    this.#sharing = new Ticker(options.clock, SHARE_EVERY_MS, () => this.#share());
  }

  start(): void {
    this.#sharing.start();
  }

  /** Adds this edge's requested calls and takes its part of each limit. Never rejects. */
  share(): Promise<void> {
    return this.#sharing.now();
  }

  close(): Promise<void> {
    return this.#sharing.stop();
  }

  async #share(): Promise<void> {
    const { bidders, clock, sums } = this.#options;
    const window = Math.floor(clock.now() / WINDOW_MS);
    const begins = window !== this.#current.window;
    if (begins) {
      this.#last = this.#current;
      this.#current = { window, wanted: new Map() };
    }
    const expiresAtMs = window * WINDOW_MS + KEEP_MS;
    const called: Bidder[] = [];
    const changes = [];
    let idle = true;
    for (const bidder of bidders.all()) {
      const amount = bidder.takeRequestedCalls();
      const { id } = bidder.dsp;
      if (amount > 0) {
        idle = false;
        // Where even all edges together cannot reach the limit, it need not be divided.
        if (bidder.limitBinds(this.#edges)) {
          changes.push({ key: requestedCallsKey(id, window), amount, expiresAtMs });
          this.#current.wanted.set(id, (this.#current.wanted.get(id) ?? 0) + amount);
        }
      }
      if (amount > 0 || this.#last.wanted.has(id)) called.push(bidder);
    }
    // An exchange without traffic costs nothing.
    if (called.length === 0) return;
    if (begins && !idle) changes.push({ key: edgesKey(window), amount: 1, expiresAtMs });
    if (changes.length > 0) await sums.add(changes);
    const keys = called.map(({ dsp }) => requestedCallsKey(dsp.id, window - 1));
    const [edges = null, ...totals] = await sums.read([edgesKey(window - 1), ...keys]);
    if (edges !== null) this.#edges = Math.max(1, edges);
    for (const [index, bidder] of called.entries()) {
      const total = totals[index];
      if (total === null || total === undefined) continue;
      const own = this.#last.window === window - 1 ? (this.#last.wanted.get(bidder.dsp.id) ?? 0) : 0;
      bidder.setRateLimit(
        edgeShareOf(bidder.dsp.qpsLimit, perSecond(own), perSecond(Math.max(total, own)), this.#edges),
      );
    }
  }
}

/** Calls a second that an edge may make of the exchange's `limit`, when it wanted `own` of `total`. */
export function edgeShareOf(limit: number, own: number, total: number, edges: number): number {
  if (total < limit) return own + (limit - total) / edges;
  return own === 0 ? limit / edges : (limit * own) / total;
}

function perSecond(counted: number): number {
  return (counted * 1000) / WINDOW_MS;
}

function requestedCallsKey(dspId: string, window: number): string {
  return `calls/${dspId}/${window}`;
}

function edgesKey(window: number): string {
  return `calling-edges/${window}`;
}
