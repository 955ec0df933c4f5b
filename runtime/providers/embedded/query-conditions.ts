import type { Condition } from '../../ports/store.ts';

/**
 * What a path below `state` leads to: several values when it passes through arrays, null where there is nothing.
 * Objects and arrays within arrays count as null: no condition can name them.
 */
export function valuesAt(state: unknown, path: string): Scalar[] {
  const values: Scalar[] = [];
  gather(state, path.split('.'), 0, values);
  return values.length === 0 ? NOTHING : values;
}

export type Scalar = string | number | boolean | null;
const NOTHING: Scalar[] = [null];

function gather(value: unknown, path: readonly string[], depth: number, into: Scalar[]): void {
  if (Array.isArray(value)) {
    // One level: an array in an array is a value of its own.
    for (const element of value) {
      if (Array.isArray(element)) into.push(null);
      else gather(element, path, depth, into);
    }
  } else if (depth === path.length) {
    into.push(isScalar(value) ? value : null);
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, path[depth]!)) {
    gather((value as Record<string, unknown>)[path[depth]!], path, depth + 1, into);
  } else {
    into.push(null);
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A condition as a test of a path's values: holds when it holds for any of them, `not` when for none. */
export function testOf(condition: Condition): (values: readonly Scalar[]) => boolean {
  if (condition === null || typeof condition !== 'object') return (values) => values.includes(condition);
  if ('in' in condition) {
    const wanted = new Set<Scalar>(condition.in);
    return (values) => values.some((value) => wanted.has(value));
  }
  if ('not' in condition) {
    const { not } = condition;
    return (values) => !values.includes(not);
  }
  const { gte, lt } = condition as { gte?: string | number; lt?: string | number };
  return (values) =>
    values.some(
      (value) =>
        (gte === undefined || (typeof value === typeof gte && value! >= gte)) &&
        (lt === undefined || (typeof value === typeof lt && value! < lt)),
    );
}

/** Absent first, then numbers, then text, then false and true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (typeof a !== typeof b || a === null || b === null) return rank(a) - rank(b);
  return a < b ? -1 : 1;
}

function rank(value: Scalar): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3;
}
