import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { bidderHealth } from '#actors/bidder-health/bidder-health';
import { healthOf } from '#actors/bidder-health/health';
import { BreakerState, ConnectionProblem } from '#actors/bidder-health/messages';
import { type BidderHealthState, emptyBidderHealth } from '#actors/bidder-health/reduce';
import type { DspState } from '#actors/dsp/reduce';
import type { ManagementDeps } from '../../deps.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadBudget } from '../budget/budget.ts';
import { delegateActivity } from './delegate-activity.ts';
import { DemandSourceParams, loadDemandSource } from './demand-source.ts';

const description = `What the edges see of the bidder, at most five seconds old. The figures are those of all edges together.

A delegate is evaluated within the exchange, so it has no breaker (\`closed\`), no time-outs, errors or latency. Its calls a second are evaluations, over the last minute or two, from its books.`;

/** Rounds a figure: rates have enough decimals to show one call, latencies are to the microsecond. */
const decimals = (value: number, places: number) => Number(value.toFixed(places));

export const DemandSourceHealth = Type.Object({
  circuit_breaker: Type.Enum(BreakerState.enum, {
    description: "The worst edge's breaker: `closed` (healthy), `open` (paused), `half_open` (recovering).",
  }),
  timeout_rate_5m: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the calls of the last five minutes that timed out; 0 without calls.',
  }),
  error_rate_5m: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the calls of the last five minutes that failed otherwise; 0 without calls.',
  }),
  avg_latency_ms: Type.Number({
    minimum: 0,
    description:
      'Mean over the calls of the last five minutes that reached the bidder; one that timed out counts with the time it was given. 0 without calls.',
  }),
  connection_problem: Type.Optional(
    Type.Enum(ConnectionProblem.enum, {
      description:
        'Why an edge gets no connection over TLS now: the certificate of the endpoint is expired, not valid yet, of another host, or of no authority that the exchange trusts (BIDDER_CA_FILE); the endpoint refuses the exchange’s certificate, or that it has none (BIDDER_CERTIFICATE_FILE); or the handshake failed otherwise. Absent where none says so.',
    }),
  ),
  qps_current: Type.Integer({ minimum: 0, description: 'Calls a second now, by all edges.' }),
  qps_limit: Type.Integer({ minimum: 1, description: 'Calls a second that the exchange makes at most.' }),
  daily_budget_remaining_cents: Nullable(
    Type.Integer({ minimum: 0, description: 'What is left of today (UTC), in whole cents, rounded down.' }),
  ),
  last_bid_at: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'Null before the first bid of the last 30 days. Of delegates the start of the minute; of bids older than six hours of the hour, older than a day of the day.',
    }),
  ),
});

/** Reads the present health from the reports of the edges and from the ledgers. */
export async function readHealth(
  deps: ManagementDeps,
  id: string,
  dsp: DspState,
): Promise<Static<typeof DemandSourceHealth>> {
  const nowMs = deps.clock.now();
  const [document] = await deps.store.load([{ kind: bidderHealth.kind, id }]);
  const health = healthOf(
    (document?.state as BidderHealthState | undefined) ?? emptyBidderHealth(),
    dsp.healthResets,
    nowMs,
  );
  const { remaining_cents: remaining } = await loadBudget(deps, id, dsp);
  const activity = dsp.mode === 'delegate' ? await delegateActivity(deps, id, dsp, nowMs) : health;
  const problem = dsp.mode === 'delegate' ? null : health.connectionProblem;
  return {
    circuit_breaker: dsp.mode === 'delegate' ? ('closed' as const) : health.breaker,
    timeout_rate_5m: decimals(health.timeoutRate, 6),
    error_rate_5m: decimals(health.errorRate, 6),
    avg_latency_ms: decimals(health.meanLatencyMs, 3),
    ...(problem !== null && { connection_problem: problem }),
    qps_current: activity.callsPerSecond,
    qps_limit: dsp.qpsLimit,
    daily_budget_remaining_cents: remaining === null ? null : Math.floor(remaining),
    last_bid_at: activity.lastBidAtMs === null ? null : new Date(activity.lastBidAtMs).toISOString(),
  };
}

export const demandSourceHealth = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/health',
  tag: 'Demand',
  operationId: 'getDemandSourceHealth',
  summary: "Read a demand source's health: breaker, rates, latency, calls a second, budget left",
  description,
  access: 'account',
  params: DemandSourceParams,
  answer: {
    status: 200,
    schema: DemandSourceHealth,
  },
  async handle({ params: { id }, caller, parts }) {
    return readHealth(parts, id, await loadDemandSource(parts, id, caller));
  },
});
