import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySource, SupplySourceParams, showSupplySource } from './supply-source.ts';

export const readSupplySource = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id',
  tag: 'Supply',
  operationId: 'getSupplySource',
  summary: 'Read a supply source',
  description: 'Live sources do not exist in the sandbox context.',
  access: 'account',
  revised: true,
  params: SupplySourceParams,
  answer: { status: 200, schema: SupplySource },
  async handle({ params: { id }, caller, parts, revision }) {
    const state = await loadSupplySource(parts, id, caller);
    revision(state.revision);
    return showSupplySource(id, state);
  },
});
