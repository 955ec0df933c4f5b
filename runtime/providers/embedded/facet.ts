import type { ActorDocument, Scalar } from '../../ports/store.ts';
import { type Value, valuesAt } from './query-conditions.ts';

/** One scalar, or all that a path through arrays leads to. */
export type Cell = Scalar | readonly Value[];

/** What queries know of a living document: the values at some paths of its state. */
export interface Facet {
  readonly id: string;
  /** One for each of `paths`. */
  readonly cells: readonly Cell[];
  /** The very list that the cells were taken by; compared by identity. */
  readonly paths: readonly string[];
}

/** Null for a tombstone, which no query finds. */
export function facetOf(document: ActorDocument, paths: readonly string[]): Facet | null {
  if (document.deleted) return null;
  const cells = paths.map((path): Cell => {
    const values = valuesAt(document.state, path);
    return values.length === 1 && !Array.isArray(values[0]) ? (values[0] as Scalar) : values;
  });
  return { id: document.id, cells, paths };
}

/** The first `count` cells at rest. */
export function encodeFacet(facet: Facet, count: number): string {
  return JSON.stringify([facet.id, ...(facet.cells.length === count ? facet.cells : facet.cells.slice(0, count))]);
}

export function decodeFacet(record: string, paths: readonly string[]): Facet {
  const [id, ...cells] = JSON.parse(record) as [string, ...Cell[]];
  return { id, cells, paths };
}
