import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { blockedFields, blockedFigures } from '../metrics/blocked-requests.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';

export const supplySourceBlocked = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/blocked',
  tag: 'Supply',
  operationId: 'getSupplySourceBlocked',
  summary: 'Read why ad requests of a supply source were turned away',
  description:
    'Ad requests that were answered 403 and reached no demand source, by reason. They are none of `bid_requests`.',
  access: 'account',
  params: SupplySourceParams,
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object({ publisher_id: Uuid, ...blockedFields }) },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadSupplySource(parts, id, caller);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
    return { publisher_id: id, ...blockedFigures(ledgers, period, region, nowMs) };
  },
});
