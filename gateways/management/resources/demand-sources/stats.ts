import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { creativeBreakdown, demandFigures, demandTiming } from '#actors/ledger/report/demand-report';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { timeSeries } from '#actors/ledger/report/time-series';
import { defineRoute } from '../../routing/route.ts';
import { demandFigureFields, TimeSeries } from '../metrics/figures.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { DspMetricsQuery, defaultPeriod } from '../metrics/metrics-query.ts';
import { DemandSourceParams, loadDemandSource } from './demand-source.ts';

export const demandSourceStats = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/stats',
  tag: 'Demand',
  operationId: 'getDemandSourceStats',
  summary: 'Read what a demand source bid and bought; `breakdown=creative` by creative',
  description: 'Bids, wins and spend of the period, up to about a minute ago.',
  access: 'account',
  params: DemandSourceParams,
  query: DspMetricsQuery,
  answer: {
    status: 200,
    schema: Type.Union([
      Type.Object({
        dsp_id: Uuid,
        ...demandFigureFields,
        timeout_rate: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Requests that were not answered in time ÷ `bid_requests`; 0 without any.',
        }),
        p50_ms: Type.Number({ description: 'Half of its calls took no longer, to 2 %; 0 without any.' }),
        p95_ms: Type.Number({ description: '95 % of its calls took no longer, to 2 %; 0 without any.' }),
      }),
      Type.Object({
        dsp_id: Uuid,
        period: demandFigureFields.period,
        creatives: Type.Array(
          Type.Object({
            creative_id: Type.String(),
            bids: Type.Integer(),
            wins: Type.Integer(),
            win_rate: Type.Number(),
            impressions: Type.Integer(),
            ecpm_cents: Type.Number(),
          }),
        ),
      }),
      TimeSeries,
    ]),
  },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null, breakdown }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadDemandSource(parts, id, caller);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'dsp', id, sandbox, sandboxGeneration }], period, nowMs);
    if (breakdown === 'time') return timeSeries(ledgers, period, nowMs, 'gross', region);
    const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs), region);
    if (breakdown === 'creative') return { dsp_id: id, period, creatives: creativeBreakdown(sum) };
    return { dsp_id: id, ...demandFigures(sum, period), ...demandTiming(sum) };
  },
});
