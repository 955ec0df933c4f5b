import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { dspFields } from '#actors/dsp/fields';
import { dspNameId } from '#actors/dsp/reduce';
import { createdFrom, writtenProperties } from '#actors/field-table';
import { createNamed } from '../../changes/create-named.ts';
import { partnerForNewSource } from '../../changes/partner-choice.ts';
import { sandboxForNewSource } from '../../changes/sandbox-choice.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { assertBidderUrls, DemandSource, showDemandSource } from './demand-source.ts';

export const createDemandSource = defineRoute({
  method: 'POST',
  path: '/api/demand/sources',
  tag: 'Demand',
  operationId: 'createDemandSource',
  summary: 'Create a demand source',
  description:
    '`rtb`: a bidder that is sent OpenRTB bid requests at `endpoint_url`. `delegate`: campaigns that the exchange evaluates itself. It is asked for bids once it has subscribed to a pool.',
  access: 'account',
  revised: true,
  body: Type.Object(writtenProperties(dspFields), { additionalProperties: false }),
  examples: {
    body: {
      name: 'North DSP',
      mode: 'rtb',
      endpoint_url: 'https://bid.north.example/openrtb',
      timeout_ms: 120,
      daily_budget_cents: 500_000,
      sandbox: true,
    },
  },
  answer: { status: 201, schema: DemandSource },
  async handle({ body, caller, identity, revision, parts }) {
    const { accountId } = caller;
    const sandbox = sandboxForNewSource(caller, body.sandbox);
    const partnerId = await partnerForNewSource(parts, caller, body.partner_id);
    assertBidderUrls(body);

    const id = identity.newId;
    const nameId = dspNameId({ accountId, sandbox, name: body.name });
    const holding = { accountId, sandbox, resource: 'demand_sources', id, bytes: 0 } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${dsp.kind}/${id}`,
        identity,
        nameId,
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            dsp,
            id,
            'create',
            { accountId, ...createdFrom(dspFields, body), sandbox, partnerId, nameClaim },
            { requestId },
          ),
      }),
    );
    revision(created.revision);
    return showDemandSource(id, created);
  },
});
