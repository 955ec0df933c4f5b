import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { demandFunnelDescription, demandFunnelFields, showDemandFunnel } from '../demand-sources/show-funnel.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { loadOwnSource } from './own-source.ts';

export const dspFunnel = defineRoute({
  method: 'GET',
  path: '/api/demand/funnel',
  tag: 'Source reports',
  operationId: 'getDemandFunnel',
  summary: "Read where auctions, bids and wins of the key's demand source went, step by step",
  description: `${demandFunnelDescription} A demand source in the sandbox reads its sandbox books.`,
  access: 'dsp-key',
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object(demandFunnelFields) },
  async handle({ query: { period = defaultPeriod, region = null }, source, parts }) {
    const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
    return showDemandFunnel(parts, { scope: 'dsp', id: source.id, sandbox, sandboxGeneration }, period, region);
  },
});
