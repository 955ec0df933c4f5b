import { defineRoute } from '../../routing/route.ts';
import { countMembers } from './member-counts.ts';
import { loadPool, Pool, PoolParams, showPool } from './pool.ts';

export const readPool = defineRoute({
  method: 'GET',
  path: '/api/supply/pools/:pool_id',
  tag: 'Supply',
  operationId: 'getPool',
  summary: 'Read a pool',
  description: 'With how many sources of the context, live or sandbox, are in it.',
  access: 'account',
  reach: { environments: 'every', partners: 'every' },
  revised: true,
  params: PoolParams,
  answer: { status: 200, schema: Pool },
  async handle({ params: { pool_id: id }, caller, revision, parts }) {
    const state = await loadPool(parts, id, caller);
    const shown = showPool(id, state, await countMembers(parts, caller, id));
    revision(state.revision, shown.publisher_count, shown.dsp_count);
    return shown;
  },
});
