import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { optionalPaging, pageIn } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { countMembers } from '../pools/member-counts.ts';

export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/pools',
  tag: 'Demand',
  operationId: 'listDemandSourcePools',
  summary: 'List the pools that a demand source takes traffic from',
  description: 'Without `page` and `per_page` all of them, in the order in which they were subscribed to.',
  access: 'account',
  params: DemandSourceParams,
  query: Type.Object(optionalPaging),
  answer: {
    status: 200,
    schema: Type.Object({
      pools: Type.Array(Type.Object({ id: Uuid, name: Type.String(), publisher_count: Type.Integer() })),
    }),
  },
  async handle({ params, query, caller, listed, parts }) {
    const { poolIds } = await loadDemandSource(parts, params.id, caller);
    const [documents, counts] = await Promise.all([
      parts.store.load(poolIds.map((id) => ({ kind: pool.kind, id }))),
      countMembers(parts, caller),
    ]);
    const pools = documents.flatMap((document) => {
      if (document === null) return [];
      const { name } = document.state as PoolState;
      return [{ id: document.id, name, publisher_count: counts.publishers.get(document.id) ?? 0 }];
    });
    listed(pools.length);
    return { pools: pageIn(pools, query) };
  },
});
