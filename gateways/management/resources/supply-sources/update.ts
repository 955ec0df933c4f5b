import Type from 'typebox';
import { changesFrom } from '#actors/field-table';
import { publisherFields } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { resolvePartnerChoice } from '../../changes/partner-choice.ts';
import { assertMayLeaveSandbox } from '../../changes/sandbox-choice.ts';
import { updateNamed } from '../../changes/update-named.ts';
import { weighPublisher } from '../../quotas/quota-resources.ts';
import { changeWithinQuota, releaseQuota, withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { withoutUndefined } from '../fields.ts';
import { assertPoolExists } from '../pools/pool.ts';
import {
  assertListsFit,
  loadSupplySource,
  SupplySource,
  SupplySourceParams,
  showSupplySource,
  supplySourceFields,
} from './supply-source.ts';

export const updateSupplySource = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/supply/sources/:id',
  tag: 'Supply',
  operationId: 'updateSupplySource',
  summary: 'Change the fields given of a supply source; `sandbox: false` makes it live',
  description: 'Edges use what is new within seconds.',
  access: 'account',
  revised: true,
  params: SupplySourceParams,
  body: Type.Partial(Type.Object(supplySourceFields), { additionalProperties: false }),
  examples: { body: { floor_price_cpm: 3, content_genre: 'sports' } },
  errors: ['QUOTA_EXCEEDED'],
  answer: { status: 200, schema: SupplySource },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    assertMayLeaveSandbox(caller, body.sandbox);
    assertListsFit(body);
    const partnerId = await resolvePartnerChoice(parts, caller, body.partner_id);
    const before = await loadSupplySource(parts, id, caller);
    if (body.pool_id) {
      await assertPoolExists(parts, body.pool_id, caller);
    }

    const changes = { ...changesFrom(publisherFields, body), ...withoutUndefined({ partnerId }) };
    const update = () =>
      updateNamed(parts, {
        address: `${publisher.kind}/${id}`,
        identity,
        load: () => loadSupplySource(parts, id, caller),
        nameIdAfter: (state) => publisherNameId({ ...state, ...changes }),
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            publisher,
            id,
            'update',
            { scope: caller.scope, changes, ...(nameClaim && { nameClaim }), ...(expecting && { expecting }) },
            { requestId },
          ),
      });
    const after = { ...before, ...changes };
    const { accountId, sandbox } = after;
    const holding = { accountId, sandbox, resource: 'supply_sources', id, bytes: weighPublisher(after) } as const;
    const moves = before.sandbox !== sandbox && before.status !== 'archived';
    const updated = moves
      ? await withinQuota(parts, holding, update)
      : await changeWithinQuota(parts, holding, weighPublisher(before), update);
    if (moves) await releaseQuota(parts, { ...holding, sandbox: before.sandbox });
    revision(updated.revision);
    return showSupplySource(id, updated);
  },
});
