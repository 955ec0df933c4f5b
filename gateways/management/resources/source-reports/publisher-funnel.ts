import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { showSupplyFunnel, supplyFunnelDescription, supplyFunnelFields } from '../supply-sources/show-funnel.ts';
import { loadOwnSource } from './own-source.ts';

export const publisherFunnel = defineRoute({
  method: 'GET',
  path: '/api/source/funnel',
  tag: 'Source reports',
  operationId: 'getSourceFunnel',
  summary: "Read where ad requests of the key's publisher went, step by step",
  description: `${supplyFunnelDescription} A publisher in the sandbox reads its sandbox books.`,
  access: 'publisher-key',
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object(supplyFunnelFields) },
  async handle({ query: { period = defaultPeriod, region = null }, source, parts }) {
    const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
    const { id } = source;
    return showSupplyFunnel(parts, { scope: 'publisher', id, sandbox, sandboxGeneration }, period, region);
  },
});
