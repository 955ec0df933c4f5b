import type { Counts, Scalar } from '../../ports/store.ts';

/** The number of documents with the same value at a path; null where it is absent. */
export interface Group {
  readonly _id: Scalar | readonly Scalar[];
  readonly count: number;
}

/**
 * Counts the documents for each scalar, in an array or by itself. Arrays are unwound here, because not every server
 * that speaks the protocol accepts `$unwind` below the top of a document.
 */
export function countElements(groups: readonly Group[]): Counts {
  const counts = new Map<Exclude<Scalar, null>, number>();
  for (const { _id, count } of groups) {
    for (const value of Array.isArray(_id) ? _id : [_id]) {
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  return counts;
}
