import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { campaign } from '#actors/campaign/campaign';
import { campaignActorId } from '#actors/campaign/campaign-id';
import type { DspState } from '#actors/dsp/reduce';
import { creativeUrls } from '#exchange/creative/creative-urls';
import { Campaign, campaignFields } from '#exchange/strategy/document/campaign';
import { MAX_STRATEGY_BYTES } from '#exchange/strategy/document/strategy';
import { campaignDocumentFaults } from '#exchange/strategy/validate/campaign-document';
import { ApiError } from '#gateways/errors';
import { assertBelowCountLimit } from '../../changes/count-limit.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { weighDocument } from '../../quotas/quota-resources.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { etagExtrasOf, ShownCampaign, showCampaign } from './campaign.ts';
import { assertDelegate, assertStillNotArchived } from './delegate.ts';
import { campaignExample } from './example.ts';
import { faultsError } from './faults.ts';
import { fetchCreatives } from './fetch-creatives.ts';

export const createCampaign = defineRoute({
  method: 'POST',
  path: '/api/campaigns',
  tag: 'Campaigns',
  operationId: 'createCampaign',
  summary: 'Create a campaign of a delegate',
  description:
    'Exactly one of `creative` and `creatives` is needed, and `bidding.base_cpm`. Documents of version 1.0, with a single `creative`, are taken as they are. Without a `campaign_id` the campaign gets one. `status: paused` creates it paused. An error names every fault of the document in `errors`. A demand source has at most 100,000, those of its strategy aside (409). Edges use it from a moment after the answer on: they bid with every campaign that is active in the auctions of the pools that the demand source subscribes to, and with those creatives whose files are there. What creatives are made of is fetched first, and hosted by the exchange: a URL that leads to what may not be served (more than 3 wrappers or redirect domains, VPAID, a document that cannot be read) is refused, one that cannot be fetched within 1.5 s is 502 BAD_GATEWAY, whose message names the field; fetched lately, it is not fetched again.',
  access: 'account',
  reach: { unreached: 'VALIDATION_ERROR' },
  revised: true,
  body: Type.Object(
    { dsp_id: Uuid, campaign_id: Type.Optional(Campaign.properties.campaign_id), ...campaignFields },
    { additionalProperties: false },
  ),
  bodyLimitBytes: MAX_STRATEGY_BYTES,
  answer: { status: 201, schema: ShownCampaign },
  errors: ['CONFLICT', 'QUOTA_EXCEEDED', 'BAD_GATEWAY'],
  examples: { body: campaignExample },
  async handle({ body, caller, identity, revision, parts }) {
    const { dsp_id: dspId, ...given } = body;
    const source = await loadNamedDsp(parts, dspId, caller);
    assertDelegate(source, 'dsp_id');
    const document = { campaign_id: identity.newId, ...given };
    const [first, ...more] = campaignDocumentFaults(document, { httpsOnly: parts.settings.httpsCreativesOnly });
    if (first !== undefined) {
      throw faultsError(first.message.startsWith('is required') ? 'INVALID_PARAMS' : 'VALIDATION_ERROR', [
        first,
        ...more,
      ]);
    }
    const id = campaignActorId(dspId, document.campaign_id);
    const { campaignsPerSource: most } = parts.settings;
    await assertBelowCountLimit(parts, {
      kind: campaign.kind,
      id,
      most,
      counted: [{ dspId, origin: 'api' }],
      refusal: `A demand source has at most ${most.toLocaleString('en-US')} campaigns, those of its strategy aside.`,
    });
    const { accountId } = caller;
    const requestId = identity.askId();
    const { sandbox } = source;
    const holding = { accountId, sandbox, resource: 'campaigns', id, bytes: weighDocument(document) } as const;
    const created = await withinQuota(parts, holding, async () => {
      await fetchCreatives(parts, creativeUrls(document), { accountId, sandbox }, 'VALIDATION_ERROR');
      const body = { accountId, dspId, campaign: document };
      const state = await parts.messenger.ask(campaign, id, 'create', body, { requestId });
      await assertStillNotArchived(parts, dspId, () => parts.messenger.ask(campaign, id, 'close', {}));
      return state;
    });
    const located = { state: created, dsp: source };
    revision(created.revision, ...etagExtrasOf(parts, id, located));
    return showCampaign(parts, id, located);
  },
});

/** Loads a demand source that a body names: VALIDATION_ERROR when there is none. */
async function loadNamedDsp(deps: ManagementDeps, dspId: string, caller: Caller): Promise<DspState> {
  try {
    return await loadDemandSource(deps, dspId, caller);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    throw new ApiError('VALIDATION_ERROR', 'dsp_id does not name a demand source.', 'dsp_id');
  }
}
