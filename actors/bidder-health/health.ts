import type { BreakerState, ConnectionProblem } from './messages.ts';
import { type BidderHealthState, emptyBidderHealth, forgetEdgeAfterMs } from './reduce.ts';

/** A report of an edge older than this many ms, three of its heartbeats, says nothing of the present. */
const REPORT_VALID_MS = 15_000;

/** A demand source's health over all edges (specification, "Demand source health"). */
export interface BidderHealth {
  /** The state of the worst edge's circuit breaker. */
  readonly breaker: BreakerState;
  readonly callsPerSecond: number;
  /** Shares of the calls of the last five minutes, 0..1; 0 when there were none. */
  readonly timeoutRate: number;
  readonly errorRate: number;
  /** The mean latency of the calls of the last five minutes that reached the bidder; 0 when there were none. */
  readonly meanLatencyMs: number;
  readonly lastBidAtMs: number | null;
  /** Why an edge does not get a connection over TLS now; null: none says so. */
  readonly connectionProblem: ConnectionProblem | null;
}

const SEVERITY: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/**
 * The health over all edges. `resets` is the demand source's own count: reports of edges that do not know the last
 * reset are ignored.
 */
export function healthOf(seen: BidderHealthState, resets: number, nowMs: number): BidderHealth {
  const state = seen.resets < resets ? emptyBidderHealth() : seen;
  let breaker: BreakerState = 'closed';
  let connectionProblem: ConnectionProblem | null = null;
  const sum = { callsPerSecond: 0, calls: 0, timeouts: 0, errors: 0, timed: 0, latencyMicros: 0 };
  for (const sighting of Object.values(state.edges)) {
    const ageMs = nowMs - sighting.heardAtMs;
    if (ageMs <= REPORT_VALID_MS) {
      if (SEVERITY[sighting.breaker] > SEVERITY[breaker]) breaker = sighting.breaker;
      sum.callsPerSecond += sighting.callsPerSecond;
      connectionProblem ??= sighting.connectionProblem ?? null;
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
    connectionProblem,
  };
}
