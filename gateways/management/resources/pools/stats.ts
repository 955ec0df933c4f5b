import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { supplyFigures } from '#actors/ledger/report/supply-report';
import { timeSeries } from '#actors/ledger/report/time-series';
import { publisher } from '#actors/publisher/publisher';
import { defineRoute } from '../../routing/route.ts';
import { supplyFigureFields, TimeSeries } from '../metrics/figures.ts';
import { ledgerOwners, loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from '../metrics/metrics-query.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { loadPool, PoolParams } from './pool.ts';

export const poolStats = defineRoute({
  method: 'GET',
  path: '/api/supply/pools/:pool_id/stats',
  tag: 'Supply',
  operationId: 'getPoolStats',
  summary: 'Read what the supply sources that are in a pool now sold, together',
  description: 'Sources that have left the pool do not count, whenever they were in it.',
  access: 'account',
  reach: { environments: 'every', partners: 'every' },
  params: PoolParams,
  query: TimedMetricsQuery,
  answer: {
    status: 200,
    schema: Type.Union([Type.Object({ pool_id: Uuid, ...supplyFigureFields }), TimeSeries]),
  },
  async handle({ params: { pool_id: id }, query, caller, parts }) {
    const { period = defaultPeriod, region = null, breakdown } = query;
    await loadPool(parts, id, caller);
    const { sandbox } = caller;
    const where = { ...visibleSourcesWhere(caller, sandbox ? 'sandbox' : 'active'), poolId: id };
    const { documents } = await parts.store.query(publisher.kind, { where });
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, ledgerOwners('publisher', documents, sandbox), period, nowMs);
    if (breakdown === 'time') return timeSeries(ledgers, period, nowMs, 'net', region);
    return { pool_id: id, ...supplyFigures(sumLedgers(ledgers, reportWindowOf(period, nowMs), region), period) };
  },
});
