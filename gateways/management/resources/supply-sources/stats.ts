import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { supplyFigures } from '#actors/ledger/report/supply-report';
import { timeSeries } from '#actors/ledger/report/time-series';
import { defineRoute } from '../../routing/route.ts';
import { supplyFigureFields, TimeSeries } from '../metrics/figures.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from '../metrics/metrics-query.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';

export const supplySourceStats = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/stats',
  tag: 'Supply',
  operationId: 'getSupplySourceStats',
  summary: 'Read what a supply source sold',
  description: 'Auctions, impressions and payout of the period, up to about a minute ago.',
  access: 'account',
  params: SupplySourceParams,
  query: TimedMetricsQuery,
  answer: {
    status: 200,
    schema: Type.Union([Type.Object({ publisher_id: Uuid, ...supplyFigureFields }), TimeSeries]),
  },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null, breakdown }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadSupplySource(parts, id, caller);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
    if (breakdown === 'time') return timeSeries(ledgers, period, nowMs, 'net', region);
    return { publisher_id: id, ...supplyFigures(sumLedgers(ledgers, reportWindowOf(period, nowMs), region), period) };
  },
});
