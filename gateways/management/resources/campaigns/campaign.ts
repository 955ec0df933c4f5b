import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { campaign } from '#actors/campaign/campaign';
import { type PauseReason, pauseReasonOf } from '#actors/campaign/pause-reason';
import type { CampaignState } from '#actors/campaign/reduce';
import type { DspState } from '#actors/dsp/reduce';
import { utcDay } from '#actors/ledger/ledger-id';
import { creativeWarnings } from '#exchange/creative/warnings/creative-warnings';
import { campaignFields } from '#exchange/strategy/document/campaign';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { type FetchedCreatives, loadFetchedCreatives } from './fetched-creatives.ts';

export const CampaignStatus = Type.Enum(['active', 'paused', 'retired'], {
  description: '`retired`: the strategy that brought it has it no more.',
});

const PAUSED_BY_DESCRIPTION = `What keeps a paused campaign from bidding; null for one that is not paused.
- \`hand\`: \`POST /api/campaigns/{id}/pause\`, or \`status\`. Until it is reactivated.
- \`strategy\`: the strategy that it came with says so.
- \`total_budget\`: what is left of \`budget.total_cents\` pays for no impression. Until the total is another.
- \`daily_budget\`: the same of 95 per cent of \`budget.daily_cents\`, past which nothing is bid. Until midnight UTC.`;

/** The cause of a campaign's pause. A client that sends the value back unchanged changes nothing. */
export const PausedByName = Type.Enum(['hand', 'strategy', 'total_budget', 'daily_budget'], {
  description: PAUSED_BY_DESCRIPTION,
});

const WARNINGS_DESCRIPTION = `What is not as recommended, found by looking into the files themselves. The creative serves all the same.
- Video: \`unsupported_container\` (not MP4), \`unsupported_video_codec\` (not H.264; H.265 is taken of campaigns that target \`ctv\` alone), \`no_audio_track\`, \`unsupported_audio_codec\` (not AAC), \`large_file\` (above 50 MB), \`low_video_bitrate\`, \`high_video_bitrate\` (not 500-8,000 kbit/s; \`ctv\` at least 2,000), \`non_standard_resolution:WxH\`, \`non_standard_frame_rate\`, \`non_standard_duration:Ns\` (not 15, 30 or 60 s).
- Banner: \`banner_oversized\` (above 150 KB), \`non_standard_size:WxH\`, \`unsupported_image_format\` (not GIF, JPEG or PNG), \`animation_too_long\` (above 15 s), \`animation_loops\` (more than 3).
- Audio: \`audio_oversized\` (above 5 MB), \`unsupported_audio_format\` (not MP3, AAC, OGG or M4A), \`uncompressed_audio\`, \`low_audio_bitrate\` (below 128 kbit/s), \`non_standard_sample_rate\` (not 44.1 or 48 kHz), \`non_standard_duration:Ns\`, \`non_standard_companion:WxH\` (not 300x250).
- HTML5: \`html5_oversized\` (above 2 MB).
- Native: \`native_title_too_long\` (above 90 characters), \`native_body_too_long\` (90), \`native_cta_too_long\` (15), \`native_sponsored_missing\`, \`native_rating_out_of_range\` (not 1-5), \`native_image_too_small\` (below 1200x627), \`native_image_oversized\` (500 KB or more), \`native_image_unsupported_format\` (not JPEG or PNG), \`native_icon_too_small\` (below 80x80), \`native_landing_url_missing\`: a native ad must lead somewhere, and does not serve without a \`landing_url\`.
- \`insecure_url\`: markup, or a tracker of the creative or of its VAST document, is loaded over plain HTTP. It serves only where that is allowed: not in ad tags unless \`secure=0\`, not where \`imp.secure\` is 1, nowhere with HTTPS_CREATIVES_ONLY.
- \`not_fetched\`: the exchange has not fetched what the creative is made of; until it has, the creative does not serve.`;

/**
 * A campaign as the API shows it: its document, and the fields that the exchange adds (specification, "Campaign
 * (delegate) and creative").
 */
export const ShownCampaign = Type.Object(
  {
    ...campaignFields,
    id: Uuid,
    dsp_id: Uuid,
    campaign_id: Type.String(),
    status: CampaignStatus,
    paused_by: Nullable(PausedByName),
    origin: Type.Enum(['api', 'strategy'], {
      description: 'A campaign of a `strategy` is changed by uploading the strategy; it can be paused all the same.',
    }),
    rotation_strategy: Type.Enum(['weighted', 'round_robin', 'random']),
    creative_warnings: Type.Array(Type.Object({ creative_id: Type.String(), warning: Type.String() }), {
      description: WARNINGS_DESCRIPTION,
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
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
  state: CampaignState,
  fetched: FetchedCreatives,
  nowMs: number,
): ShownCampaign {
  const { campaign: document, dspId, origin, status, createdAt, updatedAt } = state;
  if (document === null || status === 'absent') throw new Error(`campaign ${id} was never created`);
  const by = pauseReasonAt(state, nowMs);
  return {
    ...document,
    id,
    dsp_id: dspId,
    status: by === null ? status : 'paused',
    paused_by: by,
    origin,
    rotation_strategy: document.rotation_strategy ?? 'weighted',
    creative_warnings: creativeWarnings(document, fetched.factsOf, fetched),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Shows a campaign with the warnings that follow from the assets of its creatives' URLs. */
export async function showCampaign(deps: ManagementDeps, id: string, state: CampaignState): Promise<ShownCampaign> {
  const fetched = await loadFetchedCreatives(deps, state.campaign === null ? [] : [state.campaign]);
  return showCampaignWith(id, state, fetched, deps.clock.now());
}

/** The cause of the pause on the present UTC day; null also for a retired campaign. */
function pauseReasonAt(state: CampaignState, nowMs: number): PauseReason | null {
  return state.status === 'retired' ? null : pauseReasonOf(state, utcDay(nowMs));
}

/** The value of the ETag that no revision counts: whether a budget pauses the campaign. */
export function etagExtrasOf(deps: ManagementDeps, state: CampaignState): readonly string[] {
  const by = pauseReasonAt(state, deps.clock.now());
  return by === 'daily_budget' || by === 'total_budget' ? [by] : [];
}

/** A campaign with its location: it is in the environment, and belongs to the partner, of its demand source. */
export interface LocatedCampaign {
  readonly state: CampaignState;
  readonly dsp: DspState;
}

/** Loads the saved state of a campaign that the caller sees; NOT_FOUND for all others. */
export async function loadCampaign(deps: ManagementDeps, id: string, caller: Caller): Promise<LocatedCampaign> {
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
