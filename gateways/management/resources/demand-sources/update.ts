import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { dspFields } from '#actors/dsp/fields';
import { dspNameId } from '#actors/dsp/reduce';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { resolvePartnerChoice } from '../../changes/partner-choice.ts';
import { assertMayLeaveSandbox } from '../../changes/sandbox-choice.ts';
import { updateNamed } from '../../changes/update-named.ts';
import { moveHoldings } from '../../quotas/delegate-holdings.ts';
import { releaseQuota, withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { forgetExhausted } from '../campaigns/forget-exhausted.ts';
import { withoutUndefined } from '../fields.ts';
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
  description:
    'Edges use what is new within seconds. A demand source that moves to the other environment takes its campaigns and its strategy along, which need room in the limits there.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  body: Type.Partial(Type.Object(writtenProperties(dspFields)), { additionalProperties: false }),
  errors: ['QUOTA_EXCEEDED'],
  examples: { body: { timeout_ms: 100, daily_budget_cents: 0 } },
  answer: { status: 200, schema: DemandSource },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    assertMayLeaveSandbox(caller, body.sandbox);
    const partnerId = await resolvePartnerChoice(parts, caller, body.partner_id);
    assertBidderUrls(body);
    const changes = { ...changesFrom(dspFields, body), ...withoutUndefined({ partnerId }) };
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
    const move = () => moveHoldings(parts, { accountId, id, sandbox }, update);
    const updated = moves ? await withinQuota(parts, holding, move) : await update();
    if (moves) await releaseQuota(parts, { ...holding, sandbox: before.sandbox });
    if (moves) await forgetExhausted(parts, new Map([[id, updated]]));
    revision(updated.revision);
    return showDemandSource(id, updated);
  },
});
