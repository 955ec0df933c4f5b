import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { showSupplyFunnel, supplyFunnelDescription, supplyFunnelFields } from './show-funnel.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';

export const supplySourceFunnel = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/funnel',
  tag: 'Supply',
  operationId: 'getSupplySourceFunnel',
  summary: 'Read where ad requests of a supply source went, step by step',
  description: supplyFunnelDescription,
  access: 'account',
  params: SupplySourceParams,
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object(supplyFunnelFields) },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadSupplySource(parts, id, caller);
    return showSupplyFunnel(parts, { scope: 'publisher', id, sandbox, sandboxGeneration }, period, region);
  },
});
