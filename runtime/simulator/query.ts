import { lowerAscii } from '../ports/lower-ascii.ts';
import type { ActorDocument, Condition, Counts, Query, QueryResult, Scalar } from '../ports/store.ts';

/** Answers a query by reading every document: the plain interpretation of the contract. */
export function answerQuery(documents: readonly ActorDocument[], query: Query): QueryResult {
  const conditions = Object.entries(query.where ?? {});
  const found = documents.filter(
    (document) =>
      !document.deleted &&
      conditions.every(([path, condition]) => holds(valuesAt(document.state, path.split('.')), condition)),
  );
  const { orderBy = 'id', descending = false, skip = 0, limit = found.length } = query;
  const key = (document: ActorDocument) =>
    orderBy === 'id' ? document.id : (valuesAt(document.state, orderBy.split('.'))[0] ?? null);
  found.sort((a, b) => compare(key(a), key(b)) * (descending ? -1 : 1) || compare(a.id, b.id));
  return { documents: found.slice(skip, skip + limit), total: found.length };
}

/** Counts by reading every document. */
export function countValues(documents: readonly ActorDocument[], path: string, where: Query['where'] = {}): Counts {
  const values = answerQuery(documents, { where }).documents.flatMap(({ state }) => valuesAt(state, path.split('.')));
  const counts = new Map<Exclude<Scalar, null>, number>();
  for (const value of values) {
    if (value === undefined || value === null || typeof value === 'object') continue;
    const scalar = value as Exclude<Scalar, null>;
    counts.set(scalar, (counts.get(scalar) ?? 0) + 1);
  }
  return counts;
}

/** The values at a path: several, or none, when it passes through arrays. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((element) => (Array.isArray(element) ? [element] : valuesAt(element, path)));
  }
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return [undefined];
  return valuesAt((value as Record<string, unknown>)[first], rest);
}

function holds(values: readonly unknown[], condition: Condition): boolean {
  const equals = (wanted: unknown) => values.some((value) => (value ?? null) === wanted);
  if (condition === null || typeof condition !== 'object') return equals(condition);
  if ('in' in condition) return condition.in.some(equals);
  if ('not' in condition) return !equals(condition.not);
  if ('contains' in condition) {
    const part = lowerAscii(condition.contains);
    return values.some((value) => typeof value === 'string' && lowerAscii(value).includes(part));
  }
  const { gte, lt } = condition as { gte?: string | number; lt?: string | number };
  const within = (value: unknown) =>
    (gte === undefined || (typeof value === typeof gte && (value as string) >= (gte as string))) &&
    (lt === undefined || (typeof value === typeof lt && (value as string) < (lt as string)));
  return values.some(within);
}

/** Orders values: absent first, then numbers, then text. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return (a as string) < (b as string) ? -1 : 1;
}
