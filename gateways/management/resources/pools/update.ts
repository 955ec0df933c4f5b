import Type from 'typebox';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { poolFields } from '#actors/pool/fields';
import { pool } from '#actors/pool/pool';
import { poolNameId } from '#actors/pool/reduce';
import { ApiError } from '#gateways/errors';
import { updateNamed } from '../../changes/update-named.ts';
import { defineRoute } from '../../routing/route.ts';
import { countMembers } from './member-counts.ts';
import { loadPool, Pool, PoolParams, showPool } from './pool.ts';

export const updatePool = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/supply/pools/:pool_id',
  tag: 'Supply',
  operationId: 'updatePool',
  summary: 'Change the fields given of a pool, for live and sandbox sources alike',
  description: 'Its floor holds for sources in it whose own floor is lower.',
  access: 'account',
  reach: { environments: 'every', partners: 'every', refused: ['sandbox-key'] },
  revised: true,
  params: PoolParams,
  body: Type.Partial(Type.Object(writtenProperties(poolFields)), { additionalProperties: false }),
  examples: { body: { floor_price_cpm: 5 } },
  answer: { status: 200, schema: Pool },
  async handle({ params: { pool_id: id }, body, caller, identity, expecting, revision, parts }) {
    await loadPool(parts, id, caller);
    if (caller.sandboxKey) throw new ApiError('FORBIDDEN', 'A sandbox key cannot change a pool that live sources use.');
    const changes = changesFrom(poolFields, body);
    const updated = await updateNamed(parts, {
      address: `${pool.kind}/${id}`,
      identity,
      load: () => loadPool(parts, id, caller),
      nameIdAfter: (state) => poolNameId({ ...state, ...changes }),
      ask: (nameClaim, requestId) =>
        parts.messenger.ask(
          pool,
          id,
          'update',
          { scope: caller.scope, changes, ...(nameClaim && { nameClaim }), ...(expecting && { expecting }) },
          { requestId },
        ),
    });
    const shown = showPool(id, updated, await countMembers(parts, caller, id));
    revision(updated.revision, shown.publisher_count, shown.dsp_count);
    return shown;
  },
});
