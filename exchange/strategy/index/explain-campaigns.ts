import { cpmOf } from '../../money/price.ts';
import type { BiddingCampaign } from '../bidding-campaign.ts';
import { baseCpmOf, campaignBids, describeBid } from '../campaign-bids.ts';
import { creativesOf } from '../document/campaign.ts';
import type { Creative } from '../document/creative.ts';
import type { Rule } from '../document/rule.ts';
import { fittingCreatives } from '../fitting-creatives.ts';
import type { TargetingContext } from '../read-field.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { compileRule, compileTargeting, type Requirement } from './predicates/compile-conditions.ts';
import { PredicateTable } from './predicates/predicate-table.ts';

/** The time of the evaluation, and the chance that decides ties. */
export interface EvaluationInputs {
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  random(): number;
}

/** A judged condition. */
export interface ConditionExplained {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
  /** The request's value: null when there is none, a list when there are several. */
  readonly actual: unknown;
  readonly matched: boolean;
}

export interface RuleExplained {
  readonly rule_id: string;
  readonly matched: boolean;
  /** The conditions of the rule, then those of its schedule (`hour`, `day`). */
  readonly conditions: readonly ConditionExplained[];
}

/** One entry of `conditions_evaluated` (specification, "Sandbox"). */
export interface CampaignExplained {
  /** The `campaign_id`. */
  readonly campaign: string;
  /** Whether the campaign could bid. */
  readonly matched: boolean;
  /** The reason in words for people. */
  readonly reason: string;
  /** Each condition of its targeting. */
  readonly targeting: readonly ConditionExplained[];
  readonly rules: readonly RuleExplained[];
}

export interface DelegateBid<T extends BiddingCampaign = BiddingCampaign> {
  readonly of: T;
  /** The rule that matched; null for a campaign that bids on its targeting alone. */
  readonly matchedRule: Rule | null;
  /** USD CPM in whole micro-dollars, above 0 and not above `max_cpm`. */
  readonly bidCpm: number;
  /** `base_cpm`, or the default bid where the campaign has none. */
  readonly baseCpm: number;
  /** The reason in words for people. */
  readonly reason: string;
  /** The creatives that the imp can show, one or more. */
  readonly creatives: readonly [Creative, ...Creative[]];
}

export interface Evaluation<T extends BiddingCampaign = BiddingCampaign> {
  /** The one bid that the delegate makes for the imp; null for none. */
  readonly bid: DelegateBid<T> | null;
  readonly conditionsEvaluated: readonly CampaignExplained[];
}

/**
 * Explains what a delegate with these campaigns bids, and why. Each of their conditions is judged by the same
 * predicates as in the index. The delegate bids once for an imp: with the campaign of the highest priority, then of the
 * highest bid; ties are decided at random.
 */
export function explainCampaigns<T extends BiddingCampaign>(
  campaigns: readonly T[],
  view: TargetingContext,
  { nowMs, random }: EvaluationInputs,
): Evaluation<T> {
  const table = new PredicateTable();
  const demanded = campaigns.map((of) => ({
    of,
    targeting: compileTargeting(of.campaign.targeting ?? {}, table),
    rules: of.rules.map((rule) => ({ rule_id: rule.rule_id, demands: compileRule(rule, table) })),
  }));
  // The evaluation begins after all campaigns were compiled: the table judges only predicates that it held when the
  // evaluation began.
  const occasion = table.begin(view, nowMs, () => true);
  const judge = (demand: Requirement) => explainCondition(demand, table, occasion);
  const conditionsEvaluated: CampaignExplained[] = [];
  let best: DelegateBid<T>[] = [];
  for (const { of, ...demands } of demanded) {
    const targeting = demands.targeting.map(judge);
    const rules = demands.rules.map(({ rule_id, demands: ofRule }) => {
      const conditions = ofRule.map(judge);
      return { rule_id, matched: conditions.every(({ matched }) => matched), conditions };
    });
    const matching = new Set(of.rules.filter((_, index) => rules[index]!.matched));
    const bid = bidOf(of, targeting, matching, view);
    const matched = typeof bid !== 'string';
    const reason = matched ? bid.reason : bid;
    conditionsEvaluated.push({ campaign: of.campaign.campaign_id, matched, reason, targeting, rules });
    if (!matched) continue;
    const order = best.length === 0 ? 1 : compareBids(bid, best[0]!);
    if (order > 0) best = [bid];
    else if (order === 0) best.push(bid);
  }
  const bid = best.length > 1 ? best[Math.floor(random() * best.length)]! : (best[0] ?? null);
  return { bid, conditionsEvaluated };
}

function explainCondition(demand: Requirement, table: PredicateTable, occasion: EvaluationContext): ConditionExplained {
  const { field, operator, value, predicate } = demand;
  return { field, operator, value, actual: table.at(predicate).actual(occasion), matched: table.holds(predicate) };
}

function compareBids(a: DelegateBid, b: DelegateBid): number {
  return (a.of.campaign.priority ?? 0) - (b.of.campaign.priority ?? 0) || a.bidCpm - b.bidCpm;
}

/** The campaign's bid, or the reason why there is none. */
function bidOf<T extends BiddingCampaign>(
  of: T,
  targeting: readonly ConditionExplained[],
  matching: ReadonlySet<Rule>,
  view: TargetingContext,
): DelegateBid<T> | string {
  if (of.paused) return 'The campaign is paused.';
  const missed = targeting.find((demand) => !demand.matched);
  if (missed !== undefined) return `The request is not in the campaign's targeting: ${missed.field}.`;
  const best = campaignBids(of).find(({ rule }) => rule === null || matching.has(rule));
  if (best === undefined) return 'No rule of the campaign matched.';
  const [creative, ...others] = fittingCreatives(creativesOf(of.campaign), view);
  if (creative === undefined) return 'The campaign has no creative that the imp can show.';
  const { rule: matchedRule, bidCpmMicros } = best;
  if (bidCpmMicros === 0) return 'Nothing says a price above 0.';
  return {
    of,
    matchedRule,
    bidCpm: cpmOf(bidCpmMicros),
    baseCpm: baseCpmOf(of),
    reason: describeBid(best, of),
    creatives: [creative, ...others],
  };
}
