import Type from 'typebox';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import { Campaign } from '../../exchange/strategy/document/campaign.ts';
import { Rule } from '../../exchange/strategy/document/rule.ts';
import { Nullable, Uuid } from '../api-schemas.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { resourceTimes, revision } from '../resource-fields.ts';

/** A campaign's status in the API. */
export const CampaignStatus = Type.Enum(['active', 'paused', 'retired'], {
  description: '`retired`: the strategy that brought it has it no more, or its demand source is archived.',
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
 * A campaign, field by field. What its owner writes is the document `campaign`, whose own fields the API shows beside
 * these (exchange/strategy/document/campaign.ts).
 */
export const campaignStateFields = defineFields({
  id: { api: { name: 'id', shown: Uuid } },
  /** '' while nothing was created. */
  accountId: { state: Type.String(), initial: '', projected: true },
  /** The delegate that bids with the campaign. */
  dspId: { state: Type.String(), initial: '', projected: true, api: { name: 'dsp_id', shown: Uuid } },
  /** Null while nothing was created. It contains `status` only where a strategy says it. */
  campaign: { state: Nullable(Campaign), initial: null },
  campaignId: { api: { name: 'campaign_id', shown: Type.String() } },
  /**
   * Follows from `retired`, `pausedByHand` and the strategy; budgets pause independently of it (pause-reason.ts), which
   * the API shows as `paused` too.
   */
  status: {
    state: Type.Enum(['absent', 'active', 'paused', 'retired']),
    initial: 'absent',
    api: { name: 'status', shown: CampaignStatus },
  },
  pausedBy: { api: { name: 'paused_by', shown: Nullable(PausedByName) } },
  /** The writer of the campaign: the Campaign API, or the next strategy. */
  origin: {
    state: Type.Enum(['api', 'strategy']),
    initial: 'api',
    api: {
      name: 'origin',
      shown: Type.Enum(['api', 'strategy'], {
        description: 'A campaign of a `strategy` is changed by uploading the strategy; it can be paused all the same.',
      }),
    },
  },
  rotationStrategy: {
    api: { name: 'rotation_strategy', shown: Type.Enum(['weighted', 'round_robin', 'random']) },
  },
  creativeWarnings: {
    api: {
      name: 'creative_warnings',
      shown: Type.Array(Type.Object({ creative_id: Type.String(), warning: Type.String() }), {
        description: WARNINGS_DESCRIPTION,
      }),
    },
  },
  /** The rules of its strategy that name the campaign. */
  rules: { state: Type.Array(Rule), initial: [], projected: true },
  /** The bid in USD CPM where neither a rule nor `base_cpm` gives a price; 0: none. */
  defaultBidCpm: { state: Type.Number({ minimum: 0 }), initial: 0, projected: true },
  /** True when its strategy does not contain it any more. */
  retired: { state: Type.Boolean(), initial: false },
  pausedByHand: { state: Type.Boolean(), initial: false },
  /** The ids of all assets of its creatives, by which a refresh finds the campaigns of an asset. */
  assetIds: { state: Type.Array(Type.String()), initial: [] },
  /** Since when it has had a daily or total budget without a break, ms since the epoch; 0 without one. */
  limitedSinceMs: { state: Type.Integer({ minimum: 0 }), initial: 0, projected: true },
  /** The UTC day, `yyyy-mm-dd`, whose budget is spent; '' for none. The campaign is paused on that day alone. */
  exhaustedDay: { state: Type.String(), initial: '' },
  totalExhausted: { state: Type.Boolean(), initial: false },
  /**
   * The id of the budget that the two are about: they say nothing of the budget that the campaign has in another
   * environment, or after a reset of the sandbox. Absent where no release has said it; then it is the present one.
   */
  exhaustedBudgetId: { state: Type.Optional(Type.String()) },
  /** The revision of the strategy that last mentioned it; 0 when none did. */
  strategyRevision: { state: Type.Integer({ minimum: 0 }), initial: 0 },
  /** The newest revision says what its budget is. */
  revision: { ...revision, projected: true },
  ...resourceTimes,
});

/**
 * The projection of a campaign: all that an edge bids by. Its environment and partner are those of its demand source.
 */
export interface CampaignProjection extends BiddingCampaign, Projection<typeof campaignStateFields> {
  readonly id: string;
}
