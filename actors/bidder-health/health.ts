import type { BreakerState } from './messages.ts';
import { type BidderHealthState, emptyBidderHealth, forgetEdgeAfterMs } from './reduce.ts';

/** What an edge said longer ago than this, three of its heartbeats, says nothing of how things are now. */
const REPORT_VALID_MS = 15_000;

/** A demand source's health over all edges (specification, "Demand source health"). */
export interface BidderHealth {
  /** The worst edge's. */
  readonly breaker: BreakerState;
  readonly callsPerSecond: number;
  /** Shares of the calls of the last five minutes, 0..1; 0 when there were none. */
  readonly timeoutRate: number;
  readonly errorRate: number;
  /** Of the calls of the last five minutes that got as far as the bidder; 0 when there were none. */
  readonly meanLatencyMs: number;
  readonly lastBidAtMs: number | null;
}

const SEVERITY: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** `resets` is the demand source's own: edges that have not heard of the last one have nothing to say. */
export function healthOf(seen: BidderHealthState, resets: number, nowMs: number): BidderHealth {
  const state = seen.resets < resets ? emptyBidderHealth() : seen;
  let breaker: BreakerState = 'closed';
  const sum = { callsPerSecond: 0, calls: 0, timeouts: 0, errors: 0, timed: 0, latencyMicros: 0 };
  for (const sighting of Object.values(state.edges)) {
    const ageMs = nowMs - sighting.heardAtMs;
    if (ageMs <= REPORT_VALID_MS) {
      if (SEVERITY[sighting.breaker] > SEVERITY[breaker]) breaker = sighting.breaker;
      sum.callsPerSecond += sighting.callsPerSecond;
    }
    if (ageMs > forgetEdgeAfterMs) continue;
    sum.calls += sighting.calls;
    sum.timeouts += sighting.timeouts;
    sum.errors += sighting.errors;
    sum.timed += sighting.timed;
    sum.latencyMicros += sighting.latencyMicros;
  }
  return {
    breaker,
    callsPerSecond: sum.callsPerSecond,
    timeoutRate: sum.calls === 0 ? 0 : sum.timeouts / sum.calls,
    errorRate: sum.calls === 0 ? 0 : sum.errors / sum.calls,
    meanLatencyMs: sum.timed === 0 ? 0 : sum.latencyMicros / 1000 / sum.timed,
    lastBidAtMs: state.lastBidAtMs,
  };
}
