import { countryOf } from '#exchange/strategy/countries';
import type { Condition, Operator } from '#exchange/strategy/document/rule';
import type { ConditionExplained } from '#exchange/strategy/index/explain-campaigns';
import { entriesOf, numberOf } from '#exchange/strategy/numbers';
import { type FieldKind, fieldKind } from '#exchange/strategy/openrtb-fields';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { readField } from './read-field.ts';

/** Whether a condition holds for a request. It is one that the validator has passed. */
export function explainCondition(condition: Condition, view: TargetingContext): ConditionExplained {
  const { field, operator, value } = condition;
  const values = readField(view, field);
  const kind = fieldKind(field.startsWith('geo.') ? `device.${field}` : field);
  return { field, operator, value, actual: shown(values), matched: holds(operator, value, values, kind) };
}

export function shown(values: readonly unknown[]): unknown {
  return values.length === 0 ? null : values.length === 1 ? values[0] : values;
}

/**
 * Of several values one is enough; the negative operators hold when the positive ones do not. On an absent field all
 * are false but `neq`, `not_in` and `exists "false"`.
 */
function holds(operator: Operator, value: string, actual: readonly unknown[], kind: FieldKind | null): boolean {
  const any = (test: (one: unknown) => boolean) => actual.some(test);
  switch (operator) {
    case 'eq':
      return any((one) => isEqual(one, value, kind));
    case 'neq':
      return !any((one) => isEqual(one, value, kind));
    case 'in':
      return entriesOf(value).some((entry) => any((one) => isEqual(one, entry, kind)));
    case 'not_in':
      return !entriesOf(value).some((entry) => any((one) => isEqual(one, entry, kind)));
    case 'gt':
      return any((one) => compares(one, value, kind, (a, b) => a > b));
    case 'gte':
      return any((one) => compares(one, value, kind, (a, b) => a >= b));
    case 'lt':
      return any((one) => compares(one, value, kind, (a, b) => a < b));
    case 'lte':
      return any((one) => compares(one, value, kind, (a, b) => a <= b));
    case 'contains':
      return any((one) => textOf(one)?.includes(value.toLowerCase()) ?? false);
    case 'starts_with':
      return any((one) => textOf(one)?.startsWith(value.toLowerCase()) ?? false);
    case 'exists':
      return actual.length > 0 === (value === 'true');
  }
}

function isEqual(actual: unknown, value: string, kind: FieldKind | null): boolean {
  if (kind === 'version' && typeof actual !== 'object') {
    const [one, other] = [naiveVersion(String(actual)), naiveVersion(value)];
    if (one !== null && other !== null) return orderOf(one, other) === 0;
    return String(actual).trim().toLowerCase() === value.trim().toLowerCase();
  }
  if (typeof actual === 'number') return numberOf(value) === actual;
  const text = textOf(actual);
  if (text === null) return false;
  if (kind === 'country') {
    const country = countryOf(text);
    if (country !== null) return country === countryOf(value);
  }
  return text === value.trim().toLowerCase();
}

/**
 * Text that spells a number counts as one. Versions are compared by their first numbers, then by their second ones, …
 */
function compares(
  actual: unknown,
  value: string,
  kind: FieldKind | null,
  compare: (a: number, b: number) => boolean,
): boolean {
  if (kind === 'version') {
    const [one, other] = [naiveVersion(String(actual)), naiveVersion(value)];
    return typeof actual !== 'object' && one !== null && other !== null && compare(orderOf(one, other), 0);
  }
  const limit = numberOf(value);
  const number = typeof actual === 'number' ? actual : typeof actual === 'string' ? numberOf(actual) : null;
  return limit !== null && number !== null && compare(number, limit);
}

function naiveVersion(text: string): number[] | null {
  const parts = text.trim().split('.');
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : null;
}

/** Below 0 where the first is the earlier one. */
function orderOf([one = 0, ...rest]: number[], [other = 0, ...others]: number[]): number {
  if (one !== other) return one - other;
  return rest.length + others.length === 0 ? 0 : orderOf(rest, others);
}

/** In lower case: text is compared without regard to case. Null for objects. */
function textOf(value: unknown): string | null {
  return typeof value === 'object' ? null : String(value).toLowerCase();
}
