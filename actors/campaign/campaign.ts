import { defineActor } from '../../runtime/actor/define-actor.ts';
import { campaignMessages } from './messages.ts';
import type { CampaignProjection } from './projection.ts';
import { CampaignState, campaignHandlers, noCampaign } from './reduce.ts';

/** What a delegate advertises, of the Campaign API or of its strategy. Id: `campaignActorId`. */
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

/** Null for what can never bid again by itself. */
export function campaignProjection(state: CampaignState, id: string): CampaignProjection | null {
  const { accountId, dspId, campaign: document, rules, defaultBidCpm, status, limitedSinceMs, revision } = state;
  if (document === null || status === 'retired') return null;
  const paused = status === 'paused';
  return { id, accountId, dspId, campaign: document, rules, defaultBidCpm, paused, limitedSinceMs, revision };
}
