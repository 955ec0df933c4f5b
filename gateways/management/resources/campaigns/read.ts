import { defineRoute } from '../../routing/route.ts';
import { CampaignParams, etagExtrasOf, loadCampaign, ShownCampaign, showCampaign } from './campaign.ts';

export const readCampaign = defineRoute({
  method: 'GET',
  path: '/api/campaigns/:id',
  tag: 'Campaigns',
  operationId: 'getCampaign',
  summary: 'Read a campaign',
  description: 'With what has become of its creatives, and whether a budget pauses it now.',
  access: 'account',
  revised: true,
  params: CampaignParams,
  answer: { status: 200, schema: ShownCampaign },
  async handle({ params: { id }, caller, revision, parts }) {
    const located = await loadCampaign(parts, id, caller);
    revision(located.state.revision, ...etagExtrasOf(parts, id, located));
    return showCampaign(parts, id, located);
  },
});
