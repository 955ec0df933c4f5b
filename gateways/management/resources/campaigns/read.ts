import { defineRoute } from '../../routing/route.ts';
import { CampaignParams, loadCampaign, ShownCampaign, showCampaign, uncountedOf } from './campaign.ts';

export const readCampaign = defineRoute({
  method: 'GET',
  path: '/api/campaigns/:id',
  tag: 'Campaigns',
  summary: 'Read a campaign',
  access: 'account',
  revised: true,
  params: CampaignParams,
  answer: { status: 200, schema: ShownCampaign },
  async handle({ params: { id }, caller, revision, parts }) {
    const { state } = await loadCampaign(parts, id, caller);
    revision(state.revision, ...uncountedOf(parts, state));
    return showCampaign(parts, id, state);
  },
});
