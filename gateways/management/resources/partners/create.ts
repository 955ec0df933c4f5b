import Type from 'typebox';
import { createdFrom, writtenProperties } from '#actors/field-table';
import { partnerFields } from '#actors/partner/fields';
import { partner } from '#actors/partner/partner';
import { partnerNameId } from '#actors/partner/reduce';
import { ApiError } from '#gateways/errors';
import { createNamed } from '../../changes/create-named.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { Partner, showPartner } from './partner.ts';

export const createPartner = defineRoute({
  method: 'POST',
  path: '/api/partners',
  tag: 'Partners',
  operationId: 'createPartner',
  summary: 'Create a partner',
  description: 'Its `id` can be used at once, as `X-User-Partner-ID` and as `partner_id` of sources.',
  access: 'account',
  reach: { refused: ['partner'] },
  revised: true,
  body: Type.Object(writtenProperties(partnerFields), { additionalProperties: false }),
  examples: { body: { name: 'Harbour Media' } },
  answer: { status: 201, schema: Partner },
  async handle({ body, caller, identity, revision, parts }) {
    if (caller.partnerId !== null) throw new ApiError('FORBIDDEN', 'A partner makes no partners.');
    const { accountId } = caller;
    const id = identity.newId;
    const holding = { accountId, sandbox: caller.sandbox, resource: 'partners', id, bytes: 0 } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${partner.kind}/${id}`,
        identity,
        nameId: partnerNameId({ accountId, name: body.name }),
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            partner,
            id,
            'create',
            { accountId, ...createdFrom(partnerFields, body), nameClaim },
            { requestId },
          ),
      }),
    );
    revision(created.revision);
    return showPartner(id, created);
  },
});
