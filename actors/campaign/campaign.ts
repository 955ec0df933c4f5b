import { defineActor } from '../../runtime/actor/define-actor.ts';
import { campaignMessages } from './messages.ts';
import type { CampaignProjection } from './projection.ts';
import { CampaignState, campaignHandlers, noCampaign } from './reduce.ts';

/** A campaign of a delegate, from the Campaign API or from its strategy. Id: `campaignActorId`. */
export const campaign = defineActor({
  kind: 'campaign',
  schemaVersion: 3,
  saving: 'eager',
  state: CampaignState,
  messages: campaignMessages,
  initial: () => noCampaign,
  handlers: campaignHandlers,
  projection: campaignProjection,
  indexes: ['accountId', 'assetIds', 'createdAt', 'dspId', 'exhaustedDay'],
});

/** The projection; null for a campaign that cannot bid again by itself. */
export function campaignProjection(state: CampaignState, id: string): CampaignProjection | null {
  const { accountId, dspId, campaign: document, rules, defaultBidCpm, status, limitedSinceMs, revision } = state;
  if (document === null || status === 'retired') return null;
  const paused = status === 'paused';
  return { id, accountId, dspId, campaign: document, rules, defaultBidCpm, paused, limitedSinceMs, revision };
}
