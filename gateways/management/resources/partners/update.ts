import Type from 'typebox';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { partnerFields } from '#actors/partner/fields';
import { partner } from '#actors/partner/partner';
import { partnerNameId } from '#actors/partner/reduce';
import { ApiError } from '#gateways/errors';
import { updateNamed } from '../../changes/update-named.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadPartner, Partner, PartnerParams, showPartner } from './partner.ts';

export const updatePartner = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/partners/:id',
  tag: 'Partners',
  operationId: 'updatePartner',
  summary: 'Rename a partner',
  description: 'A name is unique within the account.',
  access: 'account',
  reach: { environments: 'every', refused: ['sandbox-key'] },
  revised: true,
  params: PartnerParams,
  body: Type.Partial(Type.Object(writtenProperties(partnerFields)), { additionalProperties: false }),
  examples: { body: { name: 'Harbour Media Group' } },
  answer: { status: 200, schema: Partner },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    await loadPartner(parts, id, caller);
    if (caller.sandboxKey) throw new ApiError('FORBIDDEN', 'A sandbox key cannot change a partner of live sources.');
    const { accountId } = caller;
    const changes = changesFrom(partnerFields, body);
    const updated = await updateNamed(parts, {
      address: `${partner.kind}/${id}`,
      identity,
      load: () => loadPartner(parts, id, caller),
      nameIdAfter: (state) => partnerNameId({ ...state, ...changes }),
      ask: (nameClaim, requestId) =>
        parts.messenger.ask(
          partner,
          id,
          'update',
          { accountId, changes, ...(nameClaim && { nameClaim }), ...(expecting && { expecting }) },
          { requestId },
        ),
    });
    revision(updated.revision);
    return showPartner(id, updated);
  },
});
