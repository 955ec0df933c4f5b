import { countryOf } from '../../../../exchange/strategy/countries.ts';
import type { Condition, Operator } from '../../../../exchange/strategy/document/rule.ts';
import type { ConditionExplained } from '../../../../exchange/strategy/index/explain-campaigns.ts';
import { entriesOf, numberOf } from '../../../../exchange/strategy/numbers.ts';
import { fieldKind } from '../../../../exchange/strategy/openrtb-fields.ts';
import type { RequestView } from '../../../../exchange/strategy/read-field.ts';
import { readField } from './read-field.ts';

/** Whether a condition holds for a request. It is one that the validator has passed. */
export function explainCondition(condition: Condition, view: RequestView): ConditionExplained {
  const { field, operator, value } = condition;
  const values = readField(view, field);
  const isCountry = fieldKind(field) === 'country';
  return { field, operator, value, actual: shown(values), matched: holds(operator, value, values, isCountry) };
}

export function shown(values: readonly unknown[]): unknown {
  return values.length === 0 ? null : values.length === 1 ? values[0] : values;
}

/**
 * Of several values one is enough; the negative operators hold when the positive ones do not. On an absent field all are
 * false but `neq`, `not_in` and `exists "false"`.
 */
function holds(operator: Operator, value: string, actual: readonly unknown[], isCountry: boolean): boolean {
  const any = (test: (one: unknown) => boolean) => actual.some(test);
  switch (operator) {
    case 'eq':
      return any((one) => isEqual(one, value, isCountry));
    case 'neq':
      return !any((one) => isEqual(one, value, isCountry));
    case 'in':
      return entriesOf(value).some((entry) => any((one) => isEqual(one, entry, isCountry)));
    case 'not_in':
      return !entriesOf(value).some((entry) => any((one) => isEqual(one, entry, isCountry)));
    case 'gt':
      return any((one) => compares(one, value, (a, b) => a > b));
    case 'gte':
      return any((one) => compares(one, value, (a, b) => a >= b));
    case 'lt':
      return any((one) => compares(one, value, (a, b) => a < b));
    case 'lte':
      return any((one) => compares(one, value, (a, b) => a <= b));
    case 'contains':
      return any((one) => textOf(one)?.includes(value.toLowerCase()) ?? false);
    case 'starts_with':
      return any((one) => textOf(one)?.startsWith(value.toLowerCase()) ?? false);
    case 'exists':
      return actual.length > 0 === (value === 'true');
  }
}

function isEqual(actual: unknown, value: string, isCountry: boolean): boolean {
  if (typeof actual === 'number') return numberOf(value) === actual;
  const text = textOf(actual);
  if (text === null) return false;
  if (isCountry) {
    const country = countryOf(text);
    if (country !== null) return country === countryOf(value);
  }
  return text === value.trim().toLowerCase();
}

/** Text that spells a number counts as one: `device.osv` is text. */
function compares(actual: unknown, value: string, compare: (a: number, b: number) => boolean): boolean {
  const limit = numberOf(value);
  const number = typeof actual === 'number' ? actual : typeof actual === 'string' ? numberOf(actual) : null;
  return limit !== null && number !== null && compare(number, limit);
}

/** In lower case: text is compared without regard to case. Null for objects. */
function textOf(value: unknown): string | null {
  return typeof value === 'object' ? null : String(value).toLowerCase();
}
