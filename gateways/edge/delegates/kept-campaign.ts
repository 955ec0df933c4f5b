import type { CampaignView } from '../../../actors/campaign/view.ts';
import type { BiddingCampaign } from '../../../exchange/strategy/bidding-campaign.ts';
import type { Rotation } from '../../../exchange/strategy/choose-creative.ts';
import { type Campaign, creativesOf } from '../../../exchange/strategy/document/campaign.ts';
import type { Creative } from '../../../exchange/strategy/document/creative.ts';
import type { CampaignBudget } from './campaign-pace.ts';

const WINDOW_HOURS = 24;

/** A campaign's limit for one device. */
export interface CapTerms {
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
  readonly cap: CapTerms | null;
  /** JSON of a {@link Presented}. */
  readonly presented: string;
  /** JSON of the rest of the document, with its rules: what it aims at. */
  readonly aim: string;
}

/** What of a campaign a bid shows. */
export interface Presented {
  readonly campaignId: string;
  readonly creatives: readonly Creative[];
  readonly rotation: Rotation;
  readonly adomain: readonly string[] | undefined;
  readonly categories: readonly string[] | undefined;
}

type Aim = Pick<BiddingCampaign, 'rules' | 'defaultBidCpm' | 'paused'> & { readonly campaign: Partial<Campaign> };

export function keepCampaign({ id, dspId, campaign, rules, defaultBidCpm, paused }: CampaignView): KeptCampaign {
  const { campaign_id, creative, creatives, rotation_strategy, adomain, categories, budget, ...rest } = campaign;
  const presented: Presented = {
    campaignId: campaign_id,
    creatives: creativesOf(campaign),
    rotation: rotation_strategy ?? 'weighted',
    adomain,
    categories,
  };
  const cap = campaign.frequency_cap;
  return {
    id,
    dspId,
    budget: budget ?? null,
    cap: cap ? { maxImpressions: cap.max_impressions, windowHours: cap.window_hours ?? WINDOW_HOURS } : null,
    presented: JSON.stringify(presented),
    aim: JSON.stringify({ campaign: rest, rules, defaultBidCpm, paused } satisfies Aim),
  };
}

export function presentedBy(kept: KeptCampaign): Presented {
  return JSON.parse(kept.presented);
}

/** The campaign as the index takes it. */
export function biddingCampaign(kept: KeptCampaign): BiddingCampaign {
  const { campaign, ...terms }: Aim = JSON.parse(kept.aim);
  const { campaignId, creatives } = presentedBy(kept);
  return { ...terms, campaign: { ...(campaign as Campaign), campaign_id: campaignId, creatives: [...creatives] } };
}
