import { campaign } from '#actors/campaign/campaign';
import { defineRoute } from '../../routing/route.ts';
import { CampaignParams, etagExtrasOf, loadCampaign, ShownCampaign, showCampaign } from './campaign.ts';
import { assertNotArchived } from './delegate.ts';

export const pauseCampaign = definePauseRoute({
  type: 'pause',
  summary: 'Pause a campaign',
  description: 'It stays paused until it is reactivated: at midnight, and when its strategy is uploaded again.',
});

export const reactivateCampaign = definePauseRoute({
  type: 'reactivate',
  summary: 'Set a paused campaign going again',
  description: 'A campaign that its strategy itself has as paused is set going there (409).',
});

interface PauseRoute {
  readonly type: 'pause' | 'reactivate';
  readonly summary: string;
  readonly description: string;
}

function definePauseRoute({ type, summary, description }: PauseRoute) {
  return defineRoute({
    method: 'POST',
    path: `/api/campaigns/:id/${type}`,
    tag: 'Campaigns',
    operationId: `${type}Campaign`,
    summary,
    description,
    access: 'account',
    revised: true,
    params: CampaignParams,
    answer: { status: 200, schema: ShownCampaign },
    errors: ['CONFLICT'],
    async handle({ params: { id }, caller, identity, expecting, revision, parts }) {
      const { dsp } = await loadCampaign(parts, id, caller);
      assertNotArchived(dsp.status);
      const changed = await parts.messenger.ask(
        campaign,
        id,
        type,
        { scope: caller.scope, ...(expecting && { expecting }) },
        { requestId: identity.askId() },
      );
      const located = { state: changed, dsp };
      revision(changed.revision, ...etagExtrasOf(parts, id, located));
      return showCampaign(parts, id, located);
    },
  });
}
