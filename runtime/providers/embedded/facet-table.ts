import type { Query } from '../../ports/store.ts';
import type { Cell, Facet } from './facet.ts';
import { compareValues, testOf, type Value } from './query-conditions.ts';

/** The facets of every living document of one kind, in memory. */
export class FacetTable {
  readonly paths: readonly string[];
  readonly #facets = new Map<string, Facet>();
  /** By id; null when that must be sorted again. */
  #byId: [key: string, facet: Facet][] | null = null;
  /** Keys written since the table began to be filled from disk; null when it is full. */
  #written: Set<string> | null = new Set();

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  /** From disk, while the table is being filled: what was written meanwhile is newer. */
  fill(key: string, facet: Facet): void {
    if (!this.#written?.has(key)) this.#facets.set(key, facet);
  }

  filled(): void {
    this.#written = null;
  }

  /** A save has become durable; null removes. */
  set(key: string, facet: Facet | null): void {
    this.#written?.add(key);
    this.#byId = null;
    if (facet) this.#facets.set(key, facet);
    else this.#facets.delete(key);
  }

  /** Keys of all that match, in the order asked for. Every path of the query is one of `paths`. */
  find({ where = {}, orderBy = 'id', descending = false }: Query): string[] {
    let found = this.#sortedById();
    for (const [path, condition] of Object.entries(where)) {
      const column = this.paths.indexOf(path);
      const test = testOf(condition);
      found = found.filter(([, { cells }]) => test(valuesOf(cells[column]!)));
    }
    if (orderBy === 'id') return (descending ? found.toReversed() : found).map(([key]) => key);
    const column = this.paths.indexOf(orderBy);
    const sign = descending ? -1 : 1;
    const value = ({ cells }: Facet): Value => valuesOf(cells[column]!)[0] ?? null;
    return found.toSorted(([, a], [, b]) => sign * compareValues(value(a), value(b))).map(([key]) => key);
  }

  #sortedById(): [string, Facet][] {
    this.#byId ??= [...this.#facets].sort(([, a], [, b]) => compareValues(a.id, b.id));
    return this.#byId;
  }
}

const one: Cell[] = [null];

/** Good until the next call. */
function valuesOf(cell: Cell): readonly Value[] {
  if (Array.isArray(cell)) return cell as readonly Value[];
  one[0] = cell;
  return one as readonly Value[];
}
