import { defineActor } from '../../runtime/actor/define-actor.ts';
import { campaignMessages } from './messages.ts';
import { assetIdsOf, CampaignState, noCampaign, reduceCampaign } from './reduce.ts';
import type { CampaignView } from './view.ts';

/** What a delegate advertises, of the Campaign API or of its strategy. Id: `campaignActorId`. */
export const campaign = defineActor<typeof CampaignState, typeof campaignMessages, CampaignView>({
  kind: 'campaign',
  schemaVersion: 2,
  saving: 'eager',
  state: CampaignState,
  messages: campaignMessages,
  initial: () => noCampaign,
  // Version 1 named no assets.
  upgrade: (state) => ({ ...(state as CampaignState), assetIds: assetIdsOf(state as CampaignState) }),
  handle: reduceCampaign,
  view: campaignView,
  indexes: ['accountId', 'assetIds', 'createdAt', 'dspId'],
});

/** Null for what can never bid again by itself. */
export function campaignView(state: CampaignState, id: string): CampaignView | null {
  const { accountId, dspId, campaign: document, rules, defaultBidCpm, status } = state;
  if (document === null || status === 'retired') return null;
  return { id, accountId, dspId, campaign: document, rules, defaultBidCpm, paused: status === 'paused' };
}
