import type { CampaignProjection } from '../../actors/campaign/fields.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import type { Rotation } from '../../exchange/strategy/choose-creative.ts';
import { creativesOf } from '../../exchange/strategy/document/campaign.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CampaignBudget } from '../pace/campaign-pace.ts';
import { packTargeting, unpackTargeting } from './packed-targeting.ts';

const WINDOW_HOURS = 24;

/** A campaign's limit for one device. */
export interface CapPolicy {
  readonly maxImpressions: number;
  readonly windowHours: number;
}

/**
 * A campaign in the edge's memory. The fields that every match needs are as they are; all else is text, which takes a
 * third of the memory of objects.
 */
export interface CatalogueCampaign {
  /** Id of the campaign's actor. */
  readonly id: string;
  readonly dspId: string;
  /** Null without one. */
  readonly budget: CampaignBudget | null;
  /** Time since when it has had a budget without a break, ms since the epoch; 0 without a budget. */
  readonly limitedSinceMs: number;
  /** Revision that the campaign's projection states. */
  readonly revision: number;
  readonly cap: CapPolicy | null;
  /** JSON of a {@link CampaignContent}. */
  readonly contentJson: string;
  /** Its targeting, packed (packed-targeting.ts); needed when its DSP changes its environment. */
  readonly packedTargeting: string;
}

/** The part of a campaign that a bid shows. */
export interface CampaignContent {
  readonly campaignId: string;
  readonly creatives: readonly Creative[];
  /** `weighted` when absent. */
  readonly rotation: Rotation | undefined;
  readonly adomain: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
}

export function toCatalogueCampaign(projection: CampaignProjection): CatalogueCampaign {
  const { id, dspId, campaign, limitedSinceMs, revision } = projection;
  const { rotation_strategy: rotation, adomain, categories, budget, frequency_cap: cap } = campaign;
  const creatives = creativesOf(campaign);
  const content: CampaignContent = { campaignId: campaign.campaign_id, creatives, rotation, adomain, categories };
  return {
    id,
    dspId,
    budget: budget ?? null,
    limitedSinceMs,
    revision,
    cap: cap ? { maxImpressions: cap.max_impressions, windowHours: cap.window_hours ?? WINDOW_HOURS } : null,
    contentJson: JSON.stringify(content),
    packedTargeting: packTargeting(projection),
  };
}

export function contentOf(entry: CatalogueCampaign): CampaignContent {
  return JSON.parse(entry.contentJson);
}

/** The campaign in the index's form. */
export function biddingCampaign(entry: CatalogueCampaign): BiddingCampaign {
  const { campaignId, creatives } = contentOf(entry);
  const { campaign, ...targeting } = unpackTargeting(entry.packedTargeting, campaignId);
  const document = { ...campaign, campaign_id: campaignId, campaign_name: campaignId, creatives: [...creatives] };
  return { ...targeting, campaign: document };
}
