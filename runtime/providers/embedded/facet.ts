import type { ActorDocument, Scalar } from '../../ports/store.ts';
import { type Value, valuesAt } from './query-conditions.ts';

/** One scalar, or all values that a path through arrays leads to. */
export type Cell = Scalar | readonly Value[];

/** The part of a living document that queries use: the values at some paths of its state. */
export interface Facet {
  readonly id: string;
  /** One cell for each of `paths`. */
  readonly cells: readonly Cell[];
  /** The list of paths of the cells; compared by identity. */
  readonly paths: readonly string[];
}

/** The facet of a document; null for a tombstone, which no query finds. */
export function facetOf(document: ActorDocument, paths: readonly string[]): Facet | null {
  if (document.deleted) return null;
  const cells = paths.map((path): Cell => {
    const values = valuesAt(document.state, path);
    return values.length === 1 && !Array.isArray(values[0]) ? (values[0] as Scalar) : values;
  });
  return { id: document.id, cells, paths };
}

/** Encodes the first `count` cells. */
export function encodeFacet(facet: Facet, count: number): string {
  return JSON.stringify([facet.id, ...(facet.cells.length === count ? facet.cells : facet.cells.slice(0, count))]);
}

export function decodeFacet(record: string, paths: readonly string[]): Facet {
  const [id, ...cells] = JSON.parse(record) as [string, ...Cell[]];
  return { id, cells, paths };
}
