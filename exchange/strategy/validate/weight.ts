import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { join, type StrategyFault } from './fault.ts';

/**
 * What every edge must do for a strategy while auctions wait: it takes a campaign in at one go, some 50 ms at these bounds,
 * and looks at each condition that is no list of values one by one.
 */
const MOST_RULES_OF_CAMPAIGN = 1_000;
const MOST_CONDITIONS_OF_CAMPAIGN = 5_000;
/** Every entry of a list counts. */
const MOST_VALUES_OF_CAMPAIGN = 20_000;
const MOST_VALUES_OF_STRATEGY = 200_000;
/** Conditions that compare or search, each counted once however many rules share it. */
const MOST_SEARCHES = 2_000;
const LONGEST_SEARCHED = 256;

const SEARCHES: ReadonlySet<unknown> = new Set(['contains', 'starts_with']);
const COMPARES: ReadonlySet<unknown> = new Set(['gt', 'gte', 'lt', 'lte']);

interface Weight {
  readonly rules: number;
  readonly conditions: number;
  readonly values: number;
}

/** Each bound that the rules go beyond, once, where they do. */
export function* weightFaults(rules: readonly (readonly [number, JsonObject])[]): Generator<StrategyFault> {
  const byCampaign = new Map<unknown, Weight>();
  const searches = new Set<string>();
  let values = 0;
  for (const [index, rule] of rules) {
    const path = join('rules', index);
    const { campaign_id: campaignId } = rule;
    const before: Weight = byCampaign.get(campaignId) ?? { rules: 0, conditions: 0, values: 0 };
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
    if (passes(before.rules, weight.rules, MOST_RULES_OF_CAMPAIGN)) {
      yield { path, message: `is one more than the ${MOST_RULES_OF_CAMPAIGN} rules that a campaign may have` };
    } else if (passes(before.conditions, weight.conditions, MOST_CONDITIONS_OF_CAMPAIGN)) {
      yield { path, message: `brings the conditions ${of} to more than ${MOST_CONDITIONS_OF_CAMPAIGN}` };
    } else if (passes(before.values, weight.values, MOST_VALUES_OF_CAMPAIGN)) {
      yield { path, message: `brings the values in conditions ${of} to more than ${MOST_VALUES_OF_CAMPAIGN}` };
    } else if (passes(valuesBefore, values, MOST_VALUES_OF_STRATEGY)) {
      yield {
        path,
        message: `brings the values in conditions of the strategy to more than ${MOST_VALUES_OF_STRATEGY}`,
      };
    } else if (passes(searchesBefore, searches.size, MOST_SEARCHES)) {
      const kinds = [...SEARCHES, ...COMPARES].join(', ');
      yield { path, message: `brings the different conditions with ${kinds} to more than ${MOST_SEARCHES}` };
    }
  }
}

/** Why a value is too long to be searched for in every request; null when it is not. */
export function searchedFault(operator: string, value: string): string | null {
  if (!SEARCHES.has(operator) || value.length <= LONGEST_SEARCHED) return null;
  return `must have at most ${LONGEST_SEARCHED} characters for ${operator}`;
}

function conditionsOf({ conditions }: JsonObject): JsonObject[] {
  return Array.isArray(conditions) ? conditions.filter(isObject) : [];
}

function valuesOf({ operator, value }: JsonObject): number {
  return (operator === 'in' || operator === 'not_in') && typeof value === 'string' ? value.split(',').length : 1;
}
