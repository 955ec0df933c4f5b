import { lowerAscii } from '../../ports/lower-ascii.ts';
import type { Condition, Scalar } from '../../ports/store.ts';

/** Stands for an object, or for an array in an array: a value that exists but that no condition can name. */
export type Opaque = readonly [];
const OPAQUE: Opaque = [];

export type Value = Scalar | Opaque;

/**
 * The values at a path below `state`: null where a field is absent, several values when the path passes through arrays,
 * none when these are empty.
 */
export function valuesAt(state: unknown, path: string): Value[] {
  const values: Value[] = [];
  gather(state, path.split('.'), 0, values);
  return values;
}

function gather(value: unknown, path: readonly string[], depth: number, into: Value[]): void {
  if (Array.isArray(value)) {
    for (const element of value) {
      if (Array.isArray(element)) into.push(OPAQUE);
      else gather(element, path, depth, into);
    }
  } else if (depth === path.length) {
    into.push(typeof value === 'object' && value !== null ? OPAQUE : ((value ?? null) as Scalar));
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, path[depth]!)) {
    gather((value as Record<string, unknown>)[path[depth]!], path, depth + 1, into);
  } else {
    into.push(null);
  }
}

/** `gte` ≤ value < `lt`, of values of their type. */
export interface Range {
  readonly gte?: string | number;
  readonly lt?: string | number;
}

/** The range of a condition; undefined when the condition is not a range. */
export function rangeOf(condition: Condition | undefined): Range | undefined {
  if (condition === undefined || condition === null || typeof condition !== 'object') return undefined;
  return 'in' in condition || 'not' in condition || 'contains' in condition ? undefined : (condition as Range);
}

/** A condition as a test of a path's values: it holds when it holds for any of them, `not` when it holds for none. */
export function testOf(condition: Condition): (values: readonly Value[]) => boolean {
  if (condition === null || typeof condition !== 'object') return (values) => values.includes(condition);
  if ('in' in condition) {
    const wanted = new Set<Value>(condition.in);
    return (values) => values.some((value) => wanted.has(value));
  }
  if ('not' in condition) {
    const { not } = condition;
    return (values) => !values.includes(not);
  }
  if ('contains' in condition) {
    const part = lowerAscii(condition.contains);
    return (values) => values.some((value) => typeof value === 'string' && lowerAscii(value).includes(part));
  }
  const { gte, lt } = condition as Range;
  return (values) =>
    values.some(
      (value) =>
        (gte === undefined || (typeof value === typeof gte && (value as typeof gte) >= gte)) &&
        (lt === undefined || (typeof value === typeof lt && (value as typeof lt) < lt)),
    );
}

/** Orders values: absent first, then numbers, then text, then false and true, then values that cannot be compared. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (typeof a !== typeof b || a === null || b === null || typeof a === 'object') return rank(a) - rank(b);
  return a < b ? -1 : 1;
}

const RANKS: Readonly<Record<string, number>> = { number: 1, string: 2, boolean: 3, object: 4 };

function rank(value: Value): number {
  return value === null ? 0 : RANKS[typeof value]!;
}
