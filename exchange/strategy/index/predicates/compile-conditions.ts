import { countryOf } from '../../countries.ts';
import { deviceTypesOf } from '../../devices.ts';
import type { Targeting } from '../../document/campaign.ts';
import type { Condition, Rule } from '../../document/rule.ts';
import { entriesOf, numberOf } from '../../numbers.ts';
import { isTimezone, parseDays, parseHours, type TimeWindow } from '../../schedule.ts';
import { versionOf } from '../../versions.ts';
import type { Attribute, AttributeKey } from '../attributes/attribute.ts';
import { KeyPredicate } from './key-predicate.ts';
import type { Predicate } from './predicate.ts';
import type { PredicateTable, Signature } from './predicate-table.ts';
import { TimePredicate } from './time-predicate.ts';
import {
  type Comparison,
  ComparisonPredicate,
  PresencePredicate,
  TextPredicate,
  VersionPredicate,
} from './value-predicates.ts';

/** A condition of a document, and the number of the predicate that judges it. */
export interface Requirement {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
  readonly predicate: number;
}

/** Compiles all conditions of a rule, then its schedule (`hour`, `day`). */
export function compileRule(rule: Rule, table: PredicateTable): Requirement[] {
  const demands: Requirement[] = rule.conditions.map((condition) => {
    const { field, operator, value } = condition;
    return { field, operator, value, predicate: compileCondition(condition, table) };
  });
  if (rule.schedule !== undefined) compileTime(rule.schedule, table, demands);
  return demands;
}

/** Compiles each condition of a campaign's targeting. Empty lists are no condition. */
export function compileTargeting(targeting: Targeting, table: PredicateTable): Requirement[] {
  const { countries = [], devices = [], genres = [] } = targeting;
  const demands: Requirement[] = [];
  const demand = (field: string, entries: readonly string[], keysOf: (entry: string) => readonly AttributeKey[]) => {
    if (entries.length === 0) return;
    const predicate = compileKeys(table.attributes.hold(field), entries.flatMap(keysOf), false, table);
    demands.push({ field, operator: 'in', value: entries.join(','), predicate });
  };
  demand('geo.country', countries, (entry) => keyed('any', countryOf(entry)));
  demand('device.devicetype', devices, (entry) =>
    (deviceTypesOf(entry) ?? []).map((type) => ({ kind: 'number', text: String(type) })),
  );
  demand('content.genre', genres, (entry) => {
    const text = entry.trim().toLowerCase();
    // A number equals the text that writes it in the usual way, not every text that spells it.
    const number = numberOf(text);
    return keyed(number === null || String(number) === text ? 'any' : 'text', text);
  });
  compileTime(targeting, table, demands);
  return demands;
}

function keyed(kind: AttributeKey['kind'], text: string | null): AttributeKey[] {
  return text === null ? [] : [{ kind, text }];
}

function compileCondition({ field, operator, value }: Condition, table: PredicateTable): number {
  switch (operator) {
    case 'eq':
    case 'neq': {
      const attribute = table.attributes.hold(field);
      return compileKeys(attribute, [attribute.keyOf(value)], operator === 'neq', table);
    }
    case 'in':
    case 'not_in': {
      const attribute = table.attributes.hold(field);
      const keys = entriesOf(value).map((entry) => attribute.keyOf(entry));
      return compileKeys(attribute, keys, operator === 'not_in', table);
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compileComparison(field, operator, value, table);
    case 'contains':
    case 'starts_with': {
      const part = value.toLowerCase();
      return compileValue(field, `${operator} ${part}`, (at) => new TextPredicate(at, operator, part), table);
    }
    case 'exists': {
      const isWanted = value === 'true';
      return compileValue(field, `exists ${isWanted}`, (at) => new PresencePredicate(at, isWanted), table);
    }
  }
}

/**
 * Compiles a comparison. No value is above or below a limit that spells no number, or no version where the field is
 * one.
 */
function compileComparison(field: string, comparison: Comparison, value: string, table: PredicateTable): number {
  const limit = numberOf(value) ?? Number.NaN;
  const version = versionOf(value);
  const demand = `${comparison} ${limit} ${version?.join('.')}`;
  const make = (at: Attribute) =>
    at.isVersion ? new VersionPredicate(at, comparison, version) : new ComparisonPredicate(at, comparison, limit);
  return compileValue(field, demand, make, table);
}

function compileValue(
  field: string,
  demand: string,
  make: (attribute: Attribute) => Predicate,
  table: PredicateTable,
): number {
  const attribute = table.attributes.hold(field);
  const known = table.hold(demand, attribute);
  if (known === null) return table.add(demand, make(attribute));
  table.attributes.release(attribute);
  return known;
}

/** Compiles a predicate on keys. The caller's use of the attribute passes to the predicate, or is released. */
function compileKeys(
  attribute: Attribute,
  wanted: readonly AttributeKey[],
  isNegated: boolean,
  table: PredicateTable,
): number {
  const keys = retainDistinctKeys(wanted, attribute);
  const signature = signatureOf(keys, isNegated);
  const known = table.hold(signature, attribute);
  if (known === null) return table.add(signature, new KeyPredicate(attribute, keys, isNegated));
  for (const key of keys) attribute.release(key);
  table.attributes.release(attribute);
  return known;
}

function signatureOf(keys: readonly number[], isNegated: boolean): Signature {
  if (keys.length === 1) return isNegated ? 2 * keys[0]! + 1 : 2 * keys[0]!;
  return `${isNegated ? '!' : '='}${keys.join(' ')}`;
}

/** Holds each different key once; ascending. */
function retainDistinctKeys(keys: readonly AttributeKey[], attribute: Attribute): readonly number[] {
  if (keys.length === 1) return [attribute.hold(keys[0]!)];
  const all = keys.map((key) => attribute.hold(key)).sort((a, b) => a - b);
  // The keys are almost always distinct. This array then has no spare capacity, unlike one that grew.
  if (all.every((id, at) => id !== all[at - 1])) return all;
  return all.filter((id, at) => {
    if (id !== all[at - 1]) return true;
    attribute.release(id);
    return false;
  });
}

/** Compiles hours and days, each on the clock of the time zone. Values that the validators would refuse never hold. */
function compileTime(
  { hours, days, timezone = 'UTC' }: TimeWindow,
  table: PredicateTable,
  demands: Requirement[],
): void {
  const demand = (field: 'hour' | 'day', value: string, all: ReadonlySet<number> | null) => {
    const isKnown = isTimezone(timezone);
    const mask = isKnown ? maskOf(all ?? new Set()) : 0;
    const clock = table.clock(isKnown ? timezone : 'UTC');
    const signature = `${field} ${mask} ${isKnown ? timezone.toLowerCase() : 'utc'}`;
    const predicate = table.hold(signature, null) ?? table.add(signature, new TimePredicate(field, clock, mask));
    demands.push({ field, operator: 'in', value, predicate });
  };
  if (hours !== undefined) demand('hour', String(hours), parseHours(hours));
  if (days !== undefined) demand('day', String(days), parseDays(days));
}

function maskOf(bits: ReadonlySet<number>): number {
  let mask = 0;
  for (const bit of bits) mask |= 1 << bit;
  return mask;
}
