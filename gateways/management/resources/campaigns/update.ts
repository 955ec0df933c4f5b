import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import { creativeUrls } from '#exchange/creative/creative-urls';
import type { JsonObject } from '#exchange/openrtb/shape';
import { changeCampaign } from '#exchange/strategy/change-campaign';
import type { Campaign } from '#exchange/strategy/document/campaign';
import { MAX_STRATEGY_BYTES } from '#exchange/strategy/document/strategy';
import { campaignDocumentFaults } from '#exchange/strategy/validate/campaign-document';
import type { FilesOwner } from '#gateways/creatives/quota/file-quota';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { weighDocument } from '../../quotas/quota-resources.ts';
import { changeWithinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { CampaignParams, etagExtrasOf, loadCampaign, ShownCampaign, showCampaign } from './campaign.ts';
import { CampaignChanges } from './changes.ts';
import { assertNotArchived } from './delegate.ts';
import { fetchCreatives } from './fetch-creatives.ts';

export const updateCampaign = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/campaigns/:id',
  tag: 'Campaigns',
  operationId: 'updateCampaign',
  summary: 'Change the fields given of a campaign',
  description:
    'Of `targeting`, `bidding`, `budget` and `frequency_cap` only the fields given change; null takes a field away. `creative` takes the place of `creatives`, and the other way round. `status` pauses and reactivates; with a `paused_by` that names a budget, as it was read, it changes nothing. A campaign that came with a strategy is changed there (409). New creatives are fetched first, as when a campaign is created; a change that leaves creatives alone fetches nothing.',
  access: 'account',
  revised: true,
  params: CampaignParams,
  body: CampaignChanges,
  examples: { body: { bidding: { base_cpm: 6.5, max_cpm: 9 } } },
  bodyLimitBytes: MAX_STRATEGY_BYTES,
  answer: { status: 200, schema: ShownCampaign },
  errors: ['CONFLICT', 'QUOTA_EXCEEDED', 'BAD_GATEWAY'],
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    const { state, dsp } = await loadCampaign(parts, id, caller);
    assertNotArchived(dsp.status);
    const {
      campaign_id: campaignId = state.campaign?.campaign_id,
      dsp_id: dspId = state.dspId,
      paused_by: by,
      ...changes
    } = body;
    // The body repeats the shown status of a campaign that a budget pauses; this does not pause it by hand.
    if (by === 'daily_budget' || by === 'total_budget') delete changes.status;
    if (campaignId !== state.campaign?.campaign_id) throw fixed('campaign_id');
    if (dspId !== state.dspId) throw fixed('dsp_id');
    const { accountId } = caller;
    const { sandbox } = dsp;
    await fetchChangedCreatives(parts, state, changes, { accountId, sandbox });
    const ask = () =>
      parts.messenger.ask(
        campaign,
        id,
        'update',
        {
          scope: caller.scope,
          changes,
          httpsOnly: parts.settings.httpsCreativesOnly,
          ...(expecting && { expecting }),
        },
        { requestId: identity.askId() },
      );
    const before = state.campaign;
    const after = before === null || state.origin === 'strategy' ? before : changeCampaign(before, changes);
    const holding = { accountId, sandbox, resource: 'campaigns', id, bytes: weighDocument(after) } as const;
    const updated = await changeWithinQuota(parts, holding, weighDocument(before), ask);
    const located = { state: updated, dsp };
    revision(updated.revision, ...etagExtrasOf(parts, id, located));
    return showCampaign(parts, id, located);
  },
});

/**
 * Fetches the creatives of an update. It fetches nothing when the update leaves creatives alone, or when the campaign
 * will refuse the update anyway.
 */
async function fetchChangedCreatives(
  deps: ManagementDeps,
  { campaign: before, origin }: CampaignState,
  changes: JsonObject,
  owner: FilesOwner,
): Promise<void> {
  if (before === null || origin === 'strategy') return;
  if (changes.creative === undefined && changes.creatives === undefined) return;
  const { status: _, ...others } = changes;
  const after = changeCampaign(before, others);
  if (campaignDocumentFaults(after, { httpsOnly: deps.settings.httpsCreativesOnly }).length > 0) return;
  await fetchCreatives(deps, creativeUrls(after as Campaign), owner, 'VALIDATION_ERROR');
}

function fixed(field: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `${field} of a campaign cannot become another.`, field);
}
