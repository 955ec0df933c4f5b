import Type from 'typebox';
import { createdFrom, writtenProperties } from '#actors/field-table';
import { poolFields } from '#actors/pool/fields';
import { pool } from '#actors/pool/pool';
import { poolNameId } from '#actors/pool/reduce';
import { createNamed } from '../../changes/create-named.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { noMembers } from './member-counts.ts';
import { Pool, showPool } from './pool.ts';

export const createPool = defineRoute({
  method: 'POST',
  path: '/api/supply/pools',
  tag: 'Supply',
  operationId: 'createPool',
  summary: 'Create a pool',
  description:
    'A name is unique within the account. Sources are put into it by `PUT /api/supply/pools/{pool_id}/assign`.',
  access: 'account',
  revised: true,
  body: Type.Object(writtenProperties(poolFields), { additionalProperties: false }),
  examples: { body: { name: 'Premium CTV', description: 'Full-screen inventory on televisions', floor_price_cpm: 4 } },
  answer: { status: 201, schema: Pool },
  async handle({ body, caller, identity, revision, parts }) {
    const { accountId } = caller;
    const id = identity.newId;
    const nameId = poolNameId({ accountId, name: body.name });
    const holding = { accountId, sandbox: caller.sandbox, resource: 'pools', id, bytes: 0 } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${pool.kind}/${id}`,
        identity,
        nameId,
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            pool,
            id,
            'create',
            { accountId, ...createdFrom(poolFields, body), nameClaim },
            { requestId },
          ),
      }),
    );
    const shown = showPool(id, created, noMembers);
    revision(created.revision, shown.publisher_count, shown.dsp_count);
    return shown;
  },
});
