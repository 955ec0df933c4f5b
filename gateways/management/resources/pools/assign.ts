import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { publisher } from '#actors/publisher/publisher';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySource, showSupplySource } from '../supply-sources/supply-source.ts';
import { loadPool, PoolParams } from './pool.ts';

export const assignToPool = defineRoute({
  method: 'PUT',
  path: '/api/supply/pools/:pool_id/assign',
  tag: 'Supply',
  operationId: 'assignToPool',
  summary: 'Put a supply source into this pool, out of the one it was in',
  description: '`If-Match` and `ETag` are of the supply source.',
  access: 'account',
  revised: true,
  params: PoolParams,
  body: Type.Object({ publisher_id: Uuid }, { additionalProperties: false }),
  examples: { body: { publisher_id: '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04' } },
  answer: { status: 200, schema: SupplySource },
  async handle({
    params: { pool_id: poolId },
    body: { publisher_id: id },
    caller,
    identity,
    expecting,
    revision,
    parts,
  }) {
    await loadPool(parts, poolId, caller);
    await loadSupplySource(parts, id, caller);
    const assigned = await parts.messenger.ask(
      publisher,
      id,
      'update',
      { scope: caller.scope, changes: { poolId }, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    revision(assigned.revision);
    return showSupplySource(id, assigned);
  },
});
