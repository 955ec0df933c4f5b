import { cpmMicros, cpmOf, MAX_CPM } from '#exchange/money/price';
import { type BiddingCampaign, campaignsOfStrategy } from '#exchange/strategy/bidding-campaign';
import { creativesOf } from '#exchange/strategy/document/campaign';
import type { Rule } from '#exchange/strategy/document/rule';
import type { Strategy } from '#exchange/strategy/document/strategy';
import { fittingCreatives } from '#exchange/strategy/fitting-creatives';
import type {
  CampaignExplained,
  DelegateBid,
  Evaluation,
  EvaluationInputs,
  RuleExplained,
} from '#exchange/strategy/index/explain-campaigns';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { explainCondition } from './condition.ts';
import { explainTargeting, explainTime } from './targeting.ts';

/**
 * What a delegate bids: the readable evaluator, which looks at every campaign, rule and condition and says what it saw.
 * It defines what every faster one must answer; the shapes of answers are those of the real one.
 */

export function evaluateStrategy(strategy: Strategy, view: TargetingContext, at: EvaluationInputs): Evaluation {
  return evaluateCampaigns(campaignsOfStrategy(strategy), view, at);
}

/** A delegate bids once for an imp: its campaign of the highest priority, then of the highest bid, ties at random. */
export function evaluateCampaigns<T extends BiddingCampaign>(
  campaigns: readonly T[],
  view: TargetingContext,
  at: EvaluationInputs,
): Evaluation<T> {
  const conditionsEvaluated: CampaignExplained[] = [];
  let best: DelegateBid<T>[] = [];
  for (const campaign of campaigns) {
    const { bid, explained } = evaluateCampaign(campaign, view, at.nowMs);
    conditionsEvaluated.push(explained);
    if (bid === null) continue;
    const order = best.length === 0 ? 1 : compareBids(bid, best[0]!);
    if (order > 0) best = [bid];
    else if (order === 0) best.push(bid);
  }
  const bid = best.length > 1 ? best[Math.floor(at.random() * best.length)]! : (best[0] ?? null);
  return { bid, conditionsEvaluated };
}

function compareBids(a: DelegateBid, b: DelegateBid): number {
  return (a.of.campaign.priority ?? 0) - (b.of.campaign.priority ?? 0) || a.bidCpm - b.bidCpm;
}

function evaluateCampaign<T extends BiddingCampaign>(
  of: T,
  view: TargetingContext,
  nowMs: number,
): { bid: DelegateBid<T> | null; explained: CampaignExplained } {
  const { campaign, paused } = of;
  const targeting = explainTargeting(campaign.targeting ?? {}, view, nowMs);
  const rules = of.rules.map((rule) => explainRule(rule, view, nowMs));
  const bid = offer();
  const reason = typeof bid === 'string' ? bid : bid.reason;
  const matched = typeof bid !== 'string';
  const explained = { campaign: campaign.campaign_id, matched, reason, targeting, rules };
  return { bid: typeof bid === 'string' ? null : bid, explained };

  /** The bid, or why there is none. */
  function offer(): DelegateBid<T> | string {
    if (paused) return 'The campaign is paused.';
    const missed = targeting.find((demand) => !demand.matched);
    if (missed !== undefined) return `The request is not in the campaign's targeting: ${missed.field}.`;
    const matching = of.rules.filter((_, index) => rules[index]!.matched);
    if (of.rules.length > 0 && matching.length === 0) return 'No rule of the campaign matched.';
    const [creative, ...others] = fittingCreatives(creativesOf(campaign), view);
    if (creative === undefined) return 'The campaign has no creative that the imp can show.';
    const price = highestOf(matching, of);
    if (price.bidCpm <= 0) return 'Nothing says a price above 0.';
    return { of, ...price, baseCpm: baseCpmOf(of), creatives: [creative, ...others] };
  }
}

function explainRule(rule: Rule, view: TargetingContext, nowMs: number): RuleExplained {
  const conditions = [
    ...rule.conditions.map((condition) => explainCondition(condition, view)),
    ...explainTime(rule.schedule ?? {}, nowMs),
  ];
  return { rule_id: rule.rule_id, matched: conditions.every(({ matched }) => matched), conditions };
}

interface Price {
  readonly matchedRule: Rule | null;
  readonly bidCpm: number;
  readonly reason: string;
}

/** Of matching rules the one of the highest priority, then of the highest bid, then the first. */
function highestOf(matching: readonly Rule[], of: BiddingCampaign): Price {
  let best: Price | null = null;
  for (const rule of matching) {
    const price = priceOf(rule, of);
    const order =
      best === null ? 1 : (rule.priority ?? 0) - (best.matchedRule?.priority ?? 0) || price.bidCpm - best.bidCpm;
    if (order > 0) best = price;
  }
  return best ?? priceOf(null, of);
}

/** `bid_cpm`, or base × `bid_multiplier`, or base; never above `max_cpm`. */
function priceOf(rule: Rule | null, of: BiddingCampaign): Price {
  const base = baseCpmOf(of);
  const wanted = rule?.bid_cpm ?? base * (rule?.bid_multiplier ?? 1);
  const maxCpm = Math.min(of.campaign.bidding?.max_cpm ?? MAX_CPM, MAX_CPM);
  const bidCpm = cpmOf(cpmMicros(Math.min(wanted, maxCpm)));
  const how =
    rule === null
      ? 'The targeting matched'
      : `Rule ${rule.rule_id} matched${rule.bid_multiplier === undefined ? '' : `, ${base} × ${rule.bid_multiplier}`}`;
  const capped = wanted > maxCpm ? `, held to max_cpm ${maxCpm}` : '';
  return { matchedRule: rule, bidCpm, reason: `${how}${capped}: bid ${bidCpm} CPM.` };
}

function baseCpmOf({ campaign, defaultBidCpm }: BiddingCampaign): number {
  return campaign.bidding?.base_cpm ?? defaultBidCpm;
}
