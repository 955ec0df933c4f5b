import { defineRoute } from '../../routing/route.ts';
import { DemandSource, DemandSourceParams, loadDemandSource, showDemandSource } from './demand-source.ts';

export const readDemandSource = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id',
  tag: 'Demand',
  operationId: 'getDemandSource',
  summary: 'Read a demand source',
  description: 'Live sources do not exist in the sandbox context.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  answer: { status: 200, schema: DemandSource },
  async handle({ params: { id }, caller, parts, revision }) {
    const state = await loadDemandSource(parts, id, caller);
    revision(state.revision);
    return showDemandSource(id, state);
  },
});
