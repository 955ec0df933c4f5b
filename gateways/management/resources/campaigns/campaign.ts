import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { budgetId } from '#actors/budget/budget-id';
import { campaign } from '#actors/campaign/campaign';
import { campaignStateFields } from '#actors/campaign/fields';
import { type PauseReason, pauseReasonOf } from '#actors/campaign/pause-reason';
import type { CampaignState } from '#actors/campaign/reduce';
import type { DspState } from '#actors/dsp/reduce';
import { shownProperties, toApi } from '#actors/field-table';
import { utcDay } from '#actors/ledger/ledger-id';
import { creativeWarnings } from '#exchange/creative/warnings/creative-warnings';
import { campaignFields } from '#exchange/strategy/document/campaign';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { type FetchedCreatives, loadFetchedCreatives } from './fetched-creatives.ts';

/**
 * A campaign as the API shows it: its document, and the fields that the exchange adds (specification, "Campaign
 * (delegate) and creative").
 */
export const ShownCampaign = Type.Object(
  { ...campaignFields, ...shownProperties(campaignStateFields) },
  {
    title: 'Campaign',
    examples: [
      {
        id: 'a4f1c6d2-3e5b-5a7c-9d8e-1f2a3b4c5d6e',
        dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
        campaign_id: 'spring-ctv',
        campaign_name: 'Spring on the big screen',
        status: 'active',
        paused_by: null,
        origin: 'api',
        targeting: { countries: ['AE', 'SA'], devices: ['ctv'] },
        bidding: { base_cpm: 8.5, max_cpm: 12 },
        budget: { daily_cents: 50000, pacing: 'linear' },
        creative: { creative_id: 'spring-30s', vast_url: 'https://ads.example.com/spring-30s.xml' },
        rotation_strategy: 'weighted',
        creative_warnings: [],
        created_at: '2026-03-14T09:26:53.589Z',
        updated_at: '2026-03-15T08:00:00.000Z',
      },
    ],
  },
);
export type ShownCampaign = Static<typeof ShownCampaign>;

export const CampaignParams = Type.Object({ id: Uuid });

export function showCampaignWith(
  id: string,
  { state, dsp }: LocatedCampaign,
  fetched: FetchedCreatives,
  nowMs: number,
): ShownCampaign {
  const { campaign: document, status } = state;
  if (document === null || status === 'absent') throw new Error(`campaign ${id} was never created`);
  const pausedBy = pauseReasonAt(id, { state, dsp }, nowMs);
  const shown = toApi(campaignStateFields, state, {
    id,
    campaignId: document.campaign_id,
    pausedBy,
    rotationStrategy: document.rotation_strategy ?? 'weighted',
    creativeWarnings: creativeWarnings(document, fetched.factsOf, fetched),
  });
  return { ...document, ...shown, status: pausedBy === null ? status : 'paused' };
}

/** Shows a campaign with the warnings that follow from the assets of its creatives' URLs. */
export async function showCampaign(deps: ManagementDeps, id: string, located: LocatedCampaign): Promise<ShownCampaign> {
  const { campaign: document } = located.state;
  const fetched = await loadFetchedCreatives(deps, document === null ? [] : [document]);
  return showCampaignWith(id, located, fetched, deps.clock.now());
}

/** The cause of the pause on the present UTC day; null also for a retired campaign. */
function pauseReasonAt(id: string, { state, dsp }: LocatedCampaign, nowMs: number): PauseReason | null {
  return state.status === 'retired' ? null : pauseReasonOf(state, utcDay(nowMs), campaignBudgetId(id, dsp));
}

/** The id of a campaign's budget at present. */
export function campaignBudgetId(id: string, { sandbox, sandboxGeneration }: CampaignDsp): string {
  return budgetId({ scope: 'campaign', id, sandbox, sandboxGeneration });
}

/** The value of the ETag that no revision counts: whether a budget pauses the campaign. */
export function etagExtrasOf(deps: ManagementDeps, id: string, located: LocatedCampaign): readonly string[] {
  const by = pauseReasonAt(id, located, deps.clock.now());
  return by === 'daily_budget' || by === 'total_budget' ? [by] : [];
}

/** The part of a demand source that says which budgets its campaigns have. */
type CampaignDsp = Pick<DspState, 'sandbox' | 'sandboxGeneration'>;

/** A campaign with its location: it is in the environment, and belongs to the partner, of its demand source. */
export interface LocatedCampaign {
  readonly state: CampaignState;
  readonly dsp: CampaignDsp;
}

/** Loads the saved state of a campaign that the caller sees; NOT_FOUND for all others. */
export async function loadCampaign(
  deps: ManagementDeps,
  id: string,
  caller: Caller,
): Promise<LocatedCampaign & { readonly dsp: DspState }> {
  const what = 'The campaign';
  const { accountId } = caller;
  const everywhere = { accountId, partnerId: null, sandboxOnly: false };
  const state = await loadVisible<CampaignState>(deps, campaign.kind, id, everywhere, what);
  try {
    return { state, dsp: await loadDemandSource(deps, state.dspId, caller) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND')
      throw new ApiError('NOT_FOUND', `${what} does not exist.`);
    throw error;
  }
}
