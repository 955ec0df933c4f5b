import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { utcDay } from '#actors/ledger/ledger-id';
import { showCampaignWith } from '../../campaigns/campaign.ts';
import { loadFetchedCreatives } from '../../campaigns/fetched-creatives.ts';
import { visibleSourcesWhere } from '../../sources-where.ts';
import { type AttentionCheck, type AttentionItem, MAX_SOURCES_CHECKED } from '../attention-item.ts';

/**
 * The largest number of campaigns that are checked. It is lower than that of sources, since the assets of their
 * creatives are read as well.
 */
const CAMPAIGNS_LOOKED_AT = 300;

/** Finds campaigns whose budget is spent, or whose creatives cannot be shown as they are. */
export const checkCampaigns: AttentionCheck = async ({ parts, caller, nowMs }) => {
  const dsps = await parts.store.query(dsp.kind, {
    where: { ...visibleSourcesWhere(caller), mode: 'delegate' },
    orderBy: 'updatedAt',
    descending: true,
    limit: MAX_SOURCES_CHECKED,
  });
  if (dsps.documents.length === 0) return [];
  const { documents } = await parts.store.query(campaign.kind, {
    where: { accountId: caller.accountId, dspId: { in: dsps.documents.map(({ id }) => id) }, status: 'active' },
    orderBy: 'updatedAt',
    descending: true,
    limit: CAMPAIGNS_LOOKED_AT,
  });
  const dspById = new Map(dsps.documents.map(({ id, state }) => [id, state as DspState]));
  const states = documents.map(({ state }) => state as CampaignState);
  const fetched = await loadFetchedCreatives(
    parts,
    states.flatMap(({ campaign: written }) => written ?? []),
  );
  const found: AttentionItem[] = [];
  for (const [index, { id }] of documents.entries()) {
    const state = states[index]!;
    const shown = showCampaignWith(id, { state, dsp: dspById.get(state.dspId)! }, fetched, nowMs);
    const subject = { type: 'campaign' as const, id, name: shown.campaign_name };
    if (shown.paused_by === 'daily_budget' || shown.paused_by === 'total_budget') {
      const ofDay = shown.paused_by === 'daily_budget';
      found.push({
        kind: 'campaign-paused-by-budget',
        severity: 'notice',
        subject,
        since: ofDay ? `${utcDay(nowMs)}T00:00:00.000Z` : null,
        message: `${shown.campaign_name} has spent its ${ofDay ? 'budget of today' : 'whole budget'}, and does not bid.`,
        remedy: ofDay
          ? 'It goes on at midnight UTC. Raise the daily budget to go on today.'
          : 'Raise the total budget.',
      });
    }
    const [first] = shown.creative_warnings;
    if (first !== undefined) {
      found.push({
        kind: 'creative-warning',
        severity: 'notice',
        subject,
        since: null,
        message: `The creative ${first.creative_id} of ${shown.campaign_name}: ${first.warning}`,
        remedy: 'Look at the creative, and replace what it points to.',
      });
    }
  }
  return found;
};
