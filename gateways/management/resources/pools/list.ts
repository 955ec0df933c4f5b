import Type from 'typebox';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { countMembers } from './member-counts.ts';
import { Pool, showPool } from './pool.ts';

export const listPools = defineRoute({
  method: 'GET',
  path: '/api/supply/pools',
  tag: 'Supply',
  operationId: 'listPools',
  summary: 'List the pools of the account, oldest first',
  description: 'Without `page` and `per_page` all of them.',
  access: 'account',
  query: Type.Object({ ...sorting('created_at', 'updated_at', 'name'), ...optionalPaging }),
  answer: { status: 200, schema: Type.Object({ pools: Type.Array(Pool) }) },
  async handle({ query, caller, listed, parts }) {
    const where = { accountId: caller.accountId };
    const [pools, counts] = await Promise.all([
      parts.store.query(pool.kind, { where, ...orderOf(query.sort), ...pageOf(query) }),
      countMembers(parts, caller),
    ]);
    listed(pools.total);
    return { pools: pools.documents.map(({ id, state }) => showPool(id, state as PoolState, counts)) };
  },
});
