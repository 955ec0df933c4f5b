import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { DemandSourceParams, loadDemandSource } from './demand-source.ts';
import { demandFunnelDescription, demandFunnelFields, showDemandFunnel } from './show-funnel.ts';

export const demandSourceFunnel = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/funnel',
  tag: 'Demand',
  operationId: 'getDemandSourceFunnel',
  summary: 'Read where auctions, bids and wins of a demand source went, step by step',
  description: demandFunnelDescription,
  access: 'account',
  params: DemandSourceParams,
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object(demandFunnelFields) },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadDemandSource(parts, id, caller);
    return showDemandFunnel(parts, { scope: 'dsp', id, sandbox, sandboxGeneration }, period, region);
  },
});
