import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type CampaignProjection, campaignStateFields } from './fields.ts';
import { campaignMessages } from './messages.ts';
import { assetIdsOf, CampaignState, campaignHandlers, noCampaign } from './reduce.ts';

/** A campaign of a delegate, from the Campaign API or from its strategy. Id: `campaignActorId`. */
export const campaign = defineActor({
  kind: 'campaign',
  schemaVersion: 3,
  saving: 'eager',
  audit: {
    none: {
      'forget-exhausted': 'It follows from a move of its demand source or a reset, which is an entry.',
      close: 'It follows from the archiving of its demand source, which is an entry.',
    },
  },
  state: CampaignState,
  messages: campaignMessages,
  initial: () => noCampaign,
  upgrade: upgradeCampaign,
  handlers: campaignHandlers,
  projection: campaignProjection,
  indexes: ['accountId', 'assetIds', 'createdAt', 'dspId', 'exhaustedDay'],
});

/** The projection; null for a campaign that cannot bid again by itself. */
export function campaignProjection(state: CampaignState, id: string): CampaignProjection | null {
  const { campaign: document, status } = state;
  if (document === null || status === 'retired') return null;
  return { id, ...projectionOf(campaignStateFields, state), campaign: document, paused: status === 'paused' };
}

/**
 * Version 1 named no assets; version 2 did not say since when there was a budget, which may be since the campaign was
 * created. The job that refreshes creatives looks for campaigns without assets, so it needs to read them.
 */
function upgradeCampaign(older: unknown): CampaignState {
  const state = { ...noCampaign, ...(older as Partial<CampaignState>) };
  const { daily_cents: daily = 0, total_cents: total = 0 } = state.campaign?.budget ?? {};
  const limitedSinceMs = daily > 0 || total > 0 ? Date.parse(state.createdAt) : 0;
  return { ...state, assetIds: assetIdsOf(state), limitedSinceMs };
}
