import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySource, SupplySourceParams, showSupplySource } from './supply-source.ts';

export const readSupplySource = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id',
  summary: 'Read a supply source',
  access: 'key',
  params: SupplySourceParams,
  answer: { status: 200, schema: SupplySource },
  async handle({ params: { id }, caller, parts }) {
    return showSupplySource(id, await loadSupplySource(parts, id, caller));
  },
});
