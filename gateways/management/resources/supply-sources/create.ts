import Type from 'typebox';
import { createdFrom } from '#actors/field-table';
import { publisherFields } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { createNamed } from '../../changes/create-named.ts';
import { partnerForNewSource } from '../../changes/partner-choice.ts';
import { sandboxForNewSource } from '../../changes/sandbox-choice.ts';
import { weighPublisher } from '../../quotas/quota-resources.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { assertPoolExists } from '../pools/pool.ts';
import { assertListsFit, SupplySource, showSupplySource, supplySourceFields } from './supply-source.ts';

export const createSupplySource = defineRoute({
  method: 'POST',
  path: '/api/supply/sources',
  tag: 'Supply',
  operationId: 'createSupplySource',
  summary: 'Create a supply source',
  description:
    'A name is unique among the live, and among the sandbox, sources of the account. Ads can be requested for it as soon as it is answered.',
  access: 'account',
  revised: true,
  body: Type.Object(supplySourceFields, { additionalProperties: false }),
  examples: {
    body: {
      name: 'Evening News',
      domain: 'news.example',
      type: 'ctv',
      floor_price_cpm: 2.5,
      content_genre: 'news',
      sandbox: true,
    },
  },
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  answer: { status: 201, schema: SupplySource },
  async handle({ body, caller, identity, revision, parts }) {
    const { accountId } = caller;
    assertListsFit(body);
    const sandbox = sandboxForNewSource(caller, body.sandbox);
    const partnerId = await partnerForNewSource(parts, caller, body.partner_id);
    if (body.pool_id) await assertPoolExists(parts, body.pool_id, caller);

    const id = identity.newId;
    const nameId = publisherNameId({ accountId, sandbox, name: body.name });
    const fields = createdFrom(publisherFields, body);
    const holding = { accountId, sandbox, resource: 'supply_sources', id, bytes: weighPublisher(fields) } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${publisher.kind}/${id}`,
        identity,
        nameId,
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            publisher,
            id,
            'create',
            { accountId, ...fields, sandbox, partnerId, nameClaim },
            { requestId },
          ),
      }),
    );
    revision(created.revision);
    return showSupplySource(id, created);
  },
});
