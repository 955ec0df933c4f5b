import Type from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { dspFields } from '../../../../actors/dsp/fields.ts';
import { dspNameId } from '../../../../actors/dsp/reduce.ts';
import { changesFrom, writtenProperties } from '../../../../actors/field-table.ts';
import { partnerChosen } from '../../changes/partner-choice.ts';
import { assertMayMove } from '../../changes/sandbox-choice.ts';
import { updateNamed } from '../../changes/update-named.ts';
import { leaveQuota, withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { given } from '../fields.ts';
import {
  assertBidderUrls,
  DemandSource,
  DemandSourceParams,
  loadDemandSource,
  showDemandSource,
} from './demand-source.ts';

export const updateDemandSource = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/demand/sources/:id',
  tag: 'Demand',
  operationId: 'updateDemandSource',
  summary: 'Change the fields given of a demand source; `sandbox: false` makes it live',
  description: 'Edges use what is new within seconds.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  body: Type.Partial(Type.Object(writtenProperties(dspFields)), { additionalProperties: false }),
  examples: { body: { timeout_ms: 100, daily_budget_cents: 0 } },
  answer: { status: 200, schema: DemandSource },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    assertMayMove(caller, body.sandbox);
    const partnerId = await partnerChosen(parts, caller, body.partner_id);
    assertBidderUrls(body);
    const changes = { ...changesFrom(dspFields, body), ...given({ partnerId }) };
    const before = await loadDemandSource(parts, id, caller);
    const update = () =>
      updateNamed(parts, {
        address: `${dsp.kind}/${id}`,
        identity,
        load: () => loadDemandSource(parts, id, caller),
        nameIdAfter: (state) => dspNameId({ ...state, ...changes }),
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            dsp,
            id,
            'update',
            { scope: caller.scope, changes, ...(nameClaim && { nameClaim }), ...(expecting && { expecting }) },
            { requestId },
          ),
      });
    const { accountId, sandbox } = { ...before, ...changes };
    const holding = { accountId, sandbox, resource: 'demand_sources', id, bytes: 0 } as const;
    const moves = before.sandbox !== sandbox && before.status !== 'archived';
    const updated = moves ? await withinQuota(parts, holding, update) : await update();
    if (moves) await leaveQuota(parts, { ...holding, sandbox: before.sandbox });
    revision(updated.revision);
    return showDemandSource(id, updated);
  },
});
