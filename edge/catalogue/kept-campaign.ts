import type { CampaignProjection } from '../../actors/campaign/projection.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import type { Rotation } from '../../exchange/strategy/choose-creative.ts';
import { creativesOf } from '../../exchange/strategy/document/campaign.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CampaignBudget } from '../pace/campaign-pace.ts';
import { packTargeting, unpackTargeting } from './packed-aim.ts';

const WINDOW_HOURS = 24;

/** A campaign's limit for one device. */
export interface CapPolicy {
  readonly maxImpressions: number;
  readonly windowHours: number;
}

/**
 * A campaign as an edge keeps it while it does not bid: what is asked of every match as it is, all else as text, which takes a
 * third of what objects take.
 */
export interface CatalogueCampaign {
  /** Of the campaign's actor. */
  readonly id: string;
  readonly dspId: string;
  /** Null without one. */
  readonly budget: CampaignBudget | null;
  /** Since when it has had one without a break, ms since the epoch; 0 without. */
  readonly limitedSinceMs: number;
  /** Of the campaign as it says so. */
  readonly revision: number;
  readonly cap: CapPolicy | null;
  /** JSON of a {@link Presented}. */
  readonly contentJson: string;
  /** What it aims at, packed (packed-aim.ts): asked for when its demand source changes its environment. */
  readonly packedTargeting: string;
}

/** What of a campaign a bid shows. */
export interface CampaignContent {
  readonly campaignId: string;
  readonly creatives: readonly Creative[];
  /** `weighted` when absent. */
  readonly rotation: Rotation | undefined;
  readonly adomain: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
}

export function toCatalogueCampaign(view: CampaignProjection): CatalogueCampaign {
  const { id, dspId, campaign, limitedSinceMs, revision } = view;
  const { rotation_strategy: rotation, adomain, categories, budget, frequency_cap: cap } = campaign;
  const creatives = creativesOf(campaign);
  const presented: CampaignContent = { campaignId: campaign.campaign_id, creatives, rotation, adomain, categories };
  return {
    id,
    dspId,
    budget: budget ?? null,
    limitedSinceMs,
    revision,
    cap: cap ? { maxImpressions: cap.max_impressions, windowHours: cap.window_hours ?? WINDOW_HOURS } : null,
    contentJson: JSON.stringify(presented),
    packedTargeting: packTargeting(view),
  };
}

export function contentOf(kept: CatalogueCampaign): CampaignContent {
  return JSON.parse(kept.contentJson);
}

/** The campaign as the index takes it. */
export function biddingCampaign(kept: CatalogueCampaign): BiddingCampaign {
  const { campaignId, creatives } = contentOf(kept);
  const { campaign, ...terms } = unpackTargeting(kept.packedTargeting, campaignId);
  const document = { ...campaign, campaign_id: campaignId, campaign_name: campaignId, creatives: [...creatives] };
  return { ...terms, campaign: document };
}
