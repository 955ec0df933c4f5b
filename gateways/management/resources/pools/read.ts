import { defineRoute } from '../../routing/route.ts';
import { countMembers } from './member-counts.ts';
import { loadPool, Pool, PoolParams, showPool } from './pool.ts';

export const readPool = defineRoute({
  method: 'GET',
  path: '/api/supply/pools/:pool_id',
  summary: 'Read a pool',
  access: 'key',
  params: PoolParams,
  answer: { status: 200, schema: Pool },
  async handle({ params: { pool_id: id }, caller, parts }) {
    return showPool(id, await loadPool(parts, id, caller), await countMembers(parts, caller, id));
  },
});
