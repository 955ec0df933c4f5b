import { countryOf } from '../../countries.ts';
import { deviceTypesOf } from '../../devices.ts';
import type { Targeting } from '../../document/campaign.ts';
import type { Condition, Operator, Rule } from '../../document/rule.ts';
import { numberOf } from '../../numbers.ts';
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

/** Compiles the same, without what explanations show; each use of a predicate is one entry. */
export function compileRulePredicates(rule: Rule, table: PredicateTable): number[] {
  const predicates: number[] = [];
  for (const condition of rule.conditions) predicates.push(compileCondition(condition, table));
  if (rule.schedule === undefined) return predicates;
  const demands: Requirement[] = [];
  compileTime(rule.schedule, table, demands);
  for (const { predicate } of demands) predicates.push(predicate);
  return predicates;
}

/** Compiles each condition of a campaign's targeting. Empty lists are no condition. */
export function compileTargeting(targeting: Targeting, table: PredicateTable): Requirement[] {
  const { countries, devices, genres } = targeting;
  const demands: Requirement[] = [];
  const demand = (field: string, entries: readonly string[] | undefined, keysOf: KeysOf) => {
    if (entries === undefined || entries.length === 0) return;
    const value = entries.length === 1 ? entries[0]! : entries.join(',');
    demands.push({ field, operator: 'in', value, predicate: compileEntries(field, entries, keysOf, table) });
  };
  demand('geo.country', countries, countryKeys);
  demand('device.devicetype', devices, deviceKeys);
  demand('content.genre', genres, genreKeys);
  compileTime(targeting, table, demands);
  return demands;
}

type KeysOf = (entry: string) => readonly AttributeKey[];

function countryKeys(entry: string): AttributeKey[] {
  return keyed('any', countryOf(entry));
}

function deviceKeys(entry: string): AttributeKey[] {
  return (deviceTypesOf(entry) ?? []).map((type) => ({ kind: 'number', text: String(type) }));
}

function genreKeys(entry: string): AttributeKey[] {
  const text = entry.trim().toLowerCase();
  // A number equals the text that writes it in the usual way, not every text that spells it.
  const number = numberOf(text);
  return keyed(number === null || String(number) === text ? 'any' : 'text', text);
}

function compileEntries(field: string, entries: readonly string[], keysOf: KeysOf, table: PredicateTable): number {
  const single = entries.length === 1 ? entries[0]! : null;
  const known = single === null ? undefined : table.memo.get(field, 'targeting', single);
  if (known !== undefined && table.holdSame(known.id, known.predicate)) return known.id;
  const attribute = table.attributes.hold(field);
  const keys = entries.flatMap(keysOf).map((key) => attribute.hold(key));
  const id = compileKeys(attribute, keys, false, table);
  if (single !== null) table.memo.remember(field, 'targeting', single, id, table.at(id));
  return id;
}

function keyed(kind: AttributeKey['kind'], text: string | null): AttributeKey[] {
  return text === null ? [] : [{ kind, text }];
}

function compileCondition(condition: Condition, table: PredicateTable): number {
  const { field, operator, value } = condition;
  // Lists are nearly all different, and others nearly all alike.
  if (operator === 'in' || operator === 'not_in') {
    const attribute = table.attributes.hold(field);
    return compileKeys(attribute, holdEntries(value, attribute), operator === 'not_in', table);
  }
  const known = table.memo.get(field, operator, value);
  if (known !== undefined && table.holdSame(known.id, known.predicate)) return known.id;
  const id = compileAnew(field, operator, value, table);
  table.memo.remember(field, operator, value, id, table.at(id));
  return id;
}

function compileAnew(
  field: string,
  operator: Exclude<Operator, 'in' | 'not_in'>,
  value: string,
  table: PredicateTable,
): number {
  switch (operator) {
    case 'eq':
    case 'neq': {
      const attribute = table.attributes.hold(field);
      return compileKeys(attribute, [attribute.holdValue(value)], operator === 'neq', table);
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

/** The keys of the list that is being read. One array serves all lists: what is kept is a copy of the right length. */
const entries: number[] = [];

/** Holds the key of each entry of a comma-separated list. The result is valid until the next call. */
function holdEntries(list: string, attribute: Attribute): number[] {
  const keys = entries;
  keys.length = 0;
  for (let from = 0; from <= list.length; ) {
    const comma = list.indexOf(',', from);
    const end = comma === -1 ? list.length : comma;
    const entry = list.slice(from, end).trim();
    if (entry !== '') keys.push(attribute.holdValue(entry));
    from = end + 1;
  }
  return keys;
}

/**
 * Compiles a predicate on keys that are held. The caller's uses of the attribute and of the keys pass to the predicate,
 * or are released.
 */
function compileKeys(attribute: Attribute, held: number[], isNegated: boolean, table: PredicateTable): number {
  const keys = retainDistinctKeys(held, attribute);
  const signature = signatureOf(keys, isNegated);
  const known = table.hold(signature, attribute);
  if (known === null) return table.add(signature, new KeyPredicate(attribute, keys, isNegated));
  for (const key of keys) attribute.release(key);
  table.attributes.release(attribute);
  return known;
}

/** Two or three keys below this are written as one number, which is below 0, and a single key as one of 0 or more. */
const KEY_LIMIT = 2 ** 17 - 1;

function signatureOf(keys: readonly number[], isNegated: boolean): Signature {
  if (keys.length === 1) return isNegated ? 2 * keys[0]! + 1 : 2 * keys[0]!;
  if ((keys.length === 2 || keys.length === 3) && keys[keys.length - 1]! < KEY_LIMIT) {
    const [first, second, third = KEY_LIMIT] = keys as readonly [number, number, number?];
    const packed = 2 * ((first * 2 ** 17 + second) * 2 ** 17 + third);
    return -1 - (isNegated ? packed + 1 : packed);
  }
  return `${isNegated ? '!' : '='}${keys.join(' ')}`;
}

/** Sorts keys and releases repeated ones, so that each different key is held once; ascending. */
function retainDistinctKeys(keys: number[], attribute: Attribute): readonly number[] {
  if (keys.length > SORTED_BY_INSERTION) keys.sort((a, b) => a - b);
  else sortByInsertion(keys);
  let distinct = 0;
  for (let at = 0; at < keys.length; at++) {
    if (at > 0 && keys[at] === keys[at - 1]) attribute.release(keys[at]!);
    else keys[distinct++] = keys[at]!;
  }
  return keys.slice(0, distinct);
}

/** A list up to this length is sorted faster without a call for each comparison. */
const SORTED_BY_INSERTION = 16;

function sortByInsertion(numbers: number[]): void {
  for (let next = 1; next < numbers.length; next++) {
    const number = numbers[next]!;
    let at = next;
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = number;
  }
}

/** Compiles hours and days, each on the clock of the time zone. Values that the validators would refuse never hold. */
function compileTime(
  { hours, days, timezone = 'UTC' }: TimeWindow,
  table: PredicateTable,
  demands: Requirement[],
): void {
  if (hours === undefined && days === undefined) return;
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
