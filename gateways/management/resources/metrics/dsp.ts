import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import type { DspState } from '#actors/dsp/reduce';
import { demandFigures, publisherBreakdown } from '#actors/ledger/report/demand-report';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { timeSeries } from '#actors/ledger/report/time-series';
import type { ManagementDeps } from '../../deps.ts';
import { type Answer, defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { callerForMetrics } from './caller-for-metrics.ts';
import { demandFigureFields, TimeSeries } from './figures.ts';
import { loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from './metrics-query.ts';
import { counterpartyNames } from './source-names.ts';

/** What a demand source bid and bought, with a breakdown by publisher or by time. */
export const DspMetrics = Type.Union([
  Type.Object({
    dsp_id: Uuid,
    dsp_name: Type.String(),
    ...demandFigureFields,
    publisher_breakdown: Type.Array(
      Type.Object({
        publisher_id: Type.String(),
        publisher_name: Type.String(),
        wins: Type.Integer(),
        spend_cents: Type.Number(),
      }),
    ),
  }),
  TimeSeries,
]);

/** Reads the metrics of a demand source from its ledgers of that environment. */
export async function readDspMetrics(
  deps: ManagementDeps,
  id: string,
  { name, sandboxGeneration }: Pick<DspState, 'name' | 'sandboxGeneration'>,
  sandbox: boolean,
  { period = defaultPeriod, region: requestedRegion, breakdown }: Static<typeof TimedMetricsQuery>,
): Promise<Answer<Static<typeof DspMetrics>>> {
  const region = requestedRegion ?? null;
  const nowMs = deps.clock.now();
  const ledgers = await loadLedgers(deps, [{ scope: 'dsp', id, sandbox, sandboxGeneration }], period, nowMs);
  if (breakdown === 'time') return timeSeries(ledgers, period, nowMs, 'gross', region);
  const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs), region);
  return {
    dsp_id: id,
    dsp_name: name,
    ...demandFigures(sum, period),
    publisher_breakdown: publisherBreakdown(sum, await counterpartyNames(deps, 'publisher', sum)),
  };
}

export const dspMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics/dsp/:dsp_id',
  tag: 'Metrics',
  operationId: 'getDspMetrics',
  summary: 'Read what a demand source bid and bought, and from whom',
  description:
    '`publisher_breakdown` names publishers of whichever partner: both sides of a trade know each other. `spend_cents` is before the fee, which the invoice adds.',
  access: 'account',
  reach: { environments: 'of-key' },
  params: Type.Object({ dsp_id: Uuid }),
  query: TimedMetricsQuery,
  answer: {
    status: 200,
    schema: DspMetrics,
  },
  async handle({ params: { dsp_id: id }, query, caller, parts }) {
    const own = await loadDemandSource(parts, id, callerForMetrics(caller));
    return readDspMetrics(parts, id, own, caller.sandbox, query);
  },
});
