import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { join, type StrategyFault } from './fault.ts';

/**
 * Bounds on the work of each edge for a strategy. An edge compiles a campaign in one go while auctions wait, some 50 ms
 * at these bounds, and judges each condition that is not a list of values one by one.
 */
const MAX_CAMPAIGN_RULES = 1_000;
const MAX_CAMPAIGN_CONDITIONS = 5_000;
/** Values in the conditions of a campaign; each entry of a list counts. */
const MAX_CAMPAIGN_VALUES = 20_000;
const MAX_STRATEGY_VALUES = 200_000;
/** Different conditions that compare or search; a condition that several rules share counts once. */
const MAX_SEARCHES = 2_000;
const MAX_SEARCHED_LENGTH = 256;

const SEARCHES: ReadonlySet<unknown> = new Set(['contains', 'starts_with']);
const COMPARES: ReadonlySet<unknown> = new Set(['gt', 'gte', 'lt', 'lte']);

interface Complexity {
  readonly rules: number;
  readonly conditions: number;
  readonly values: number;
}

/** Reports each bound that the rules exceed, once, at the rule that exceeds it. */
export function* complexityFaults(rules: readonly (readonly [number, JsonObject])[]): Generator<StrategyFault> {
  const byCampaign = new Map<unknown, Complexity>();
  const searches = new Set<string>();
  let values = 0;
  for (const [index, rule] of rules) {
    const path = join('rules', index);
    const { campaign_id: campaignId } = rule;
    const before: Complexity = byCampaign.get(campaignId) ?? { rules: 0, conditions: 0, values: 0 };
    const weight = { ...before };
    byCampaign.set(campaignId, weight);
    const valuesBefore = values;
    const searchesBefore = searches.size;
    weight.rules += 1;
    for (const condition of conditionsOf(rule)) {
      const entries = valuesOf(condition);
      weight.conditions += 1;
      weight.values += entries;
      values += entries;
      const { field, operator, value } = condition;
      if (SEARCHES.has(operator) || COMPARES.has(operator)) searches.add(`${field} ${operator} ${value}`);
    }
    const passes = (from: number, to: number, most: number) => from <= most && to > most;
    const of = `of campaign ${String(campaignId)}`;
    if (passes(before.rules, weight.rules, MAX_CAMPAIGN_RULES)) {
      yield { path, message: `is one more than the ${MAX_CAMPAIGN_RULES} rules that a campaign may have` };
    } else if (passes(before.conditions, weight.conditions, MAX_CAMPAIGN_CONDITIONS)) {
      yield { path, message: `brings the conditions ${of} to more than ${MAX_CAMPAIGN_CONDITIONS}` };
    } else if (passes(before.values, weight.values, MAX_CAMPAIGN_VALUES)) {
      yield { path, message: `brings the values in conditions ${of} to more than ${MAX_CAMPAIGN_VALUES}` };
    } else if (passes(valuesBefore, values, MAX_STRATEGY_VALUES)) {
      yield {
        path,
        message: `brings the values in conditions of the strategy to more than ${MAX_STRATEGY_VALUES}`,
      };
    } else if (passes(searchesBefore, searches.size, MAX_SEARCHES)) {
      const kinds = [...SEARCHES, ...COMPARES].join(', ');
      yield { path, message: `brings the different conditions with ${kinds} to more than ${MAX_SEARCHES}` };
    }
  }
}

/** The fault of a value that is too long to be searched for in every request; null for other values. */
export function searchValueFault(operator: string, value: string): string | null {
  if (!SEARCHES.has(operator) || value.length <= MAX_SEARCHED_LENGTH) return null;
  return `must have at most ${MAX_SEARCHED_LENGTH} characters for ${operator}`;
}

function conditionsOf({ conditions }: JsonObject): JsonObject[] {
  return Array.isArray(conditions) ? conditions.filter(isObject) : [];
}

function valuesOf({ operator, value }: JsonObject): number {
  return (operator === 'in' || operator === 'not_in') && typeof value === 'string' ? value.split(',').length : 1;
}
