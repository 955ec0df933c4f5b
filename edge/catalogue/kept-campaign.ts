import type { CampaignView } from '../../actors/campaign/view.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import type { Rotation } from '../../exchange/strategy/choose-creative.ts';
import { creativesOf } from '../../exchange/strategy/document/campaign.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { CampaignBudget } from '../pace/campaign-pace.ts';
import { packAim, unpackAim } from './packed-aim.ts';

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
export interface KeptCampaign {
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
  readonly presented: string;
  /** What it aims at, packed (packed-aim.ts): asked for when its demand source changes its environment. */
  readonly aim: string;
}

/** What of a campaign a bid shows. */
export interface Presented {
  readonly campaignId: string;
  readonly creatives: readonly Creative[];
  /** `weighted` when absent. */
  readonly rotation: Rotation | undefined;
  readonly adomain: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
}

export function keepCampaign(view: CampaignView): KeptCampaign {
  const { id, dspId, campaign, limitedSinceMs, revision } = view;
  const { rotation_strategy: rotation, adomain, categories, budget, frequency_cap: cap } = campaign;
  const creatives = creativesOf(campaign);
  const presented: Presented = { campaignId: campaign.campaign_id, creatives, rotation, adomain, categories };
  return {
    id,
    dspId,
    budget: budget ?? null,
    limitedSinceMs,
    revision,
    cap: cap ? { maxImpressions: cap.max_impressions, windowHours: cap.window_hours ?? WINDOW_HOURS } : null,
    presented: JSON.stringify(presented),
    aim: packAim(view),
  };
}

export function presentedBy(kept: KeptCampaign): Presented {
  return JSON.parse(kept.presented);
}

/** The campaign as the index takes it. */
export function biddingCampaign(kept: KeptCampaign): BiddingCampaign {
  const { campaignId, creatives } = presentedBy(kept);
  const { campaign, ...terms } = unpackAim(kept.aim, campaignId);
  const document = { ...campaign, campaign_id: campaignId, campaign_name: campaignId, creatives: [...creatives] };
  return { ...terms, campaign: document };
}
