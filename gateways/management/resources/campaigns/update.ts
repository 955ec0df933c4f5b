import { campaign } from '../../../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../../../actors/campaign/reduce.ts';
import { ApiError } from '../../../errors.ts';
import { defineRoute } from '../../routing/route.ts';
import { CampaignParams, loadCampaign, ShownCampaign, showCampaign } from './campaign.ts';
import { CampaignChanges } from './changes.ts';
import { assertNotArchived } from './delegate.ts';

export const updateCampaign = defineRoute({
  method: 'PUT',
  path: '/api/campaigns/:id',
  tag: 'Campaigns',
  summary: 'Change the fields given of a campaign',
  description:
    'Of `targeting`, `bidding`, `budget` and `frequency_cap` only the fields given change; null takes a field away. `creative` takes the place of `creatives`, and the other way round. `status` pauses and reactivates. A campaign that came with a strategy is changed there (409).',
  access: 'account',
  revised: true,
  params: CampaignParams,
  body: CampaignChanges,
  examples: { body: { bidding: { base_cpm: 6.5, max_cpm: 9 } } },
  answer: { status: 200, schema: ShownCampaign },
  errors: ['CONFLICT'],
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    const { state, dsp } = await loadCampaign(parts, id, caller);
    assertNotArchived(dsp.status);
    const { campaign_id: campaignId = state.campaign?.campaign_id, dsp_id: dspId = state.dspId, ...changes } = body;
    if (campaignId !== state.campaign?.campaign_id) throw fixed('campaign_id');
    if (dspId !== state.dspId) throw fixed('dsp_id');
    const updated = await parts.messenger.ask<typeof campaign.messages, 'update', CampaignState>(
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
    revision(updated.revision);
    return showCampaign(id, updated);
  },
});

function fixed(field: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `${field} of a campaign cannot become another.`, field);
}
