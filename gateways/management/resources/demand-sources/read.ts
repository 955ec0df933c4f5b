import { defineRoute } from '../../routing/route.ts';
import { DemandSource, DemandSourceParams, loadDemandSource, showDemandSource } from './demand-source.ts';

export const readDemandSource = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id',
  summary: 'Read a demand source',
  access: 'key',
  params: DemandSourceParams,
  answer: { status: 200, schema: DemandSource },
  async handle({ params: { id }, caller, parts }) {
    return showDemandSource(id, await loadDemandSource(parts, id, caller));
  },
});
