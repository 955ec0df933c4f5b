import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { Match } from '../../exchange/strategy/index/match.ts';
import type { TargetingContext } from '../../exchange/strategy/read-field.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { DelegateCatalogue } from '../catalogue/delegate-catalogue.ts';
import type { CatalogueCampaign } from '../catalogue/kept-campaign.ts';
import type { ReadyCreative, UnpackedCampaign } from '../catalogue/presented-campaign.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { inOrder } from './in-order.ts';

/**
 * Upper bound of campaigns with a cap that are considered for one imp of a delegate; the campaigns behind them may bid
 * another time.
 */
const MAX_CAPPED = 16;

/** A campaign that bids unless the viewer has reached its cap. */
export interface Candidate {
  readonly campaign: CatalogueCampaign;
  readonly unpacked: UnpackedCampaign;
  readonly eligibleCreatives: readonly [ReadyCreative, ...ReadyCreative[]];
  /** Whole micro-dollars CPM. */
  readonly bidCpmMicros: number;
  /** The rule that matched; null for a campaign that bids on its targeting alone. */
  readonly ruleId: string | null;
}

/** A campaign that matched and does not bid. */
export interface NonBiddingCampaign {
  readonly campaign: CatalogueCampaign;
  readonly reason: NoBidReason;
  /** For `creative-unavailable`: the campaign's creatives, and why they cannot be shown. */
  readonly unpacked?: UnpackedCampaign;
}

/** Upper bound of the campaigns that a plan names as kept back. */
const MOST_KEPT_BACK = 16;
const NONE: readonly NonBiddingCampaign[] = [];

/** A delegate's bid on one imp, as far as it can be decided before frequency caps are known. */
export interface BidPlan {
  readonly dspId: string;
  readonly imp: Imp;
  /** Candidates in the order in which they bid: campaigns with a cap, and at the end at most one without. */
  readonly candidates: readonly Candidate[];
  /** The reason that kept back the campaign that came closest, where there is no candidate. */
  readonly reason: NoBidReason;
  /**
   * The first campaigns that were kept back, in the order in which they would have bid; frequency caps are applied
   * later.
   */
  readonly nonBidding: readonly NonBiddingCampaign[];
  /** Whether a campaign before the candidates was kept back because its spend or its budget is unknown. */
  readonly hasUnknownBudget: boolean;
}

export interface PlanContext {
  readonly catalogue: DelegateCatalogue;
  readonly pace: CampaignPace;
  readonly budgets: Pick<EdgeBudgets, 'available'>;
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly viewer: Pick<Viewer, 'deviceKey'>;
  /**
   * Nano-dollars that candidates for the request's other imps would cost, by campaign and by DSP; planning adds to it.
   * Campaigns whose lease is awaited count too: the plans are made again when it has come.
   */
  readonly bidSoFar: Map<string, number>;
}

/** Reasons by how far a campaign came that does not bid, nearest to the start first. */
const STAGES: readonly NoBidReason[] = [
  'no-match',
  'budget-exhausted',
  'pacing',
  'creative-unavailable',
  'frequency-cap',
];

export function planBid(
  dspId: string,
  matches: readonly Match[],
  targeting: TargetingContext,
  terms: PlanContext,
): BidPlan {
  const candidates: Candidate[] = [];
  let furthest = 0;
  let unread = false;
  let nonBidding: NonBiddingCampaign[] | null = null;
  const keptBack = (campaign: CatalogueCampaign, reason: NoBidReason, content?: UnpackedCampaign) => {
    furthest = Math.max(furthest, STAGES.indexOf(reason));
    nonBidding ??= [];
    if (nonBidding.length < MOST_KEPT_BACK)
      nonBidding.push(content ? { campaign, reason, unpacked: content } : { campaign, reason });
  };
  for (const { id, bidCpmMicros, ruleId } of matches.length === 1 ? matches : inOrder(matches, terms.random)) {
    const campaign = terms.catalogue.campaign(id);
    if (campaign.cap !== null && candidates.length >= MAX_CAPPED) continue;
    const permitted = pacePermits(campaign, bidCpmMicros, terms);
    if (permitted !== true) {
      unread ||= permitted === null;
      keptBack(campaign, permitted ?? 'pacing');
      continue;
    }
    if (campaign.cap !== null && terms.viewer.deviceKey === null) {
      keptBack(campaign, 'frequency-cap');
      continue;
    }
    const content = terms.catalogue.presented(campaign);
    const eligibleCreatives = content.eligibleCreatives(targeting);
    if (!isNonEmpty(eligibleCreatives)) {
      keptBack(campaign, 'creative-unavailable', content);
      continue;
    }
    candidates.push({ campaign, unpacked: content, eligibleCreatives, bidCpmMicros, ruleId });
    if (campaign.cap === null) break;
  }
  let highestCpmMicros = 0;
  for (const { campaign, bidCpmMicros } of candidates) {
    addBid(campaign.id, bidCpmMicros, terms);
    highestCpmMicros = Math.max(highestCpmMicros, bidCpmMicros);
  }
  if (candidates.length > 0) addBid(dspId, highestCpmMicros, terms);
  return {
    dspId,
    imp: targeting.imp!,
    candidates,
    reason: STAGES[furthest]!,
    nonBidding: nonBidding ?? NONE,
    hasUnknownBudget: unread,
  };
}

function isNonEmpty<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}

/**
 * True when budgets and pace permit the bid, else the reason that keeps it back; null when the spend is unknown. One
 * micro-dollar CPM is one nano-dollar for an impression.
 */
function pacePermits(
  campaign: CatalogueCampaign,
  priceNanos: number,
  terms: PlanContext,
): true | 'budget-exhausted' | 'pacing' | null {
  const { pace, budgets, nowMs, random, bidSoFar } = terms;
  const { id, dspId, budget } = campaign;
  // The pace is asked in any case: the traffic curve is learnt from every opportunity to bid.
  const probability = pace.bidProbability(id, dspId, budget, priceNanos, nowMs, bidSoFar);
  const available = budgets.available(dspId, campaign, priceNanos, nowMs, bidSoFar);
  if (available === false) return 'budget-exhausted';
  // The lease that is awaited has to pay this imp beside the request's others.
  if (available === null) addBid(id, priceNanos, terms);
  if (available === null || probability === null) return null;
  return probability >= 1 || (probability > 0 && random() < probability) ? true : 'pacing';
}

function addBid(holderId: string, priceNanos: number, { bidSoFar }: PlanContext): void {
  bidSoFar.set(holderId, (bidSoFar.get(holderId) ?? 0) + priceNanos);
}
