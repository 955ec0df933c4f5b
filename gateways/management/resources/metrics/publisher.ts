import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { dspBreakdown, supplyFigures } from '#actors/ledger/report/supply-report';
import { timeSeries } from '#actors/ledger/report/time-series';
import type { PublisherState } from '#actors/publisher/reduce';
import type { ManagementDeps } from '../../deps.ts';
import { type Answer, defineRoute } from '../../routing/route.ts';
import { loadSupplySource } from '../supply-sources/supply-source.ts';
import { callerForMetrics } from './caller-for-metrics.ts';
import { supplyFigureFields, TimeSeries } from './figures.ts';
import { loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from './metrics-query.ts';
import { counterpartyNames } from './source-names.ts';

/** What a publisher sold, with a breakdown by demand source or by time. */
export const PublisherMetrics = Type.Union([
  Type.Object({
    publisher_id: Uuid,
    publisher_name: Type.String(),
    ...supplyFigureFields,
    /** `spend_cents` is gross, so that the entries sum to gross and not to `revenue_cents`. */
    dsp_breakdown: Type.Array(
      Type.Object({
        dsp_id: Type.String(),
        dsp_name: Type.String(),
        wins: Type.Integer(),
        spend_cents: Type.Number(),
        avg_cpm_cents: Type.Number(),
      }),
    ),
  }),
  TimeSeries,
]);

/** Reads the metrics of a publisher from its ledgers of that environment. */
export async function readPublisherMetrics(
  deps: ManagementDeps,
  id: string,
  { name, sandboxGeneration }: Pick<PublisherState, 'name' | 'sandboxGeneration'>,
  sandbox: boolean,
  { period = defaultPeriod, region: requestedRegion, breakdown }: Static<typeof TimedMetricsQuery>,
): Promise<Answer<Static<typeof PublisherMetrics>>> {
  const region = requestedRegion ?? null;
  const nowMs = deps.clock.now();
  const ledgers = await loadLedgers(deps, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
  if (breakdown === 'time') return timeSeries(ledgers, period, nowMs, 'net', region);
  const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs), region);
  return {
    publisher_id: id,
    publisher_name: name,
    ...supplyFigures(sum, period),
    dsp_breakdown: dspBreakdown(sum, await counterpartyNames(deps, 'dsp', sum)),
  };
}

export const publisherMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics/publisher/:publisher_id',
  tag: 'Metrics',
  operationId: 'getPublisherMetrics',
  summary: 'Read what a publisher sold, and to whom',
  description:
    '`dsp_breakdown` is at gross: its `spend_cents` add up to gross, not to `revenue_cents`. It names demand sources of whichever partner: both sides of a trade know each other.',
  access: 'account',
  reach: { environments: 'of-key' },
  params: Type.Object({ publisher_id: Uuid }),
  query: TimedMetricsQuery,
  answer: {
    status: 200,
    schema: PublisherMetrics,
  },
  async handle({ params: { publisher_id: id }, query, caller, parts }) {
    const own = await loadSupplySource(parts, id, callerForMetrics(caller));
    return readPublisherMetrics(parts, id, own, caller.sandbox, query);
  },
});
