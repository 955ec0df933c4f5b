import type { Counts, Query, Scalar } from '../../ports/store.ts';
import type { Cell, Facet } from './facet.ts';
import { type Entry, FacetOrder } from './facet-order.ts';
import { rangeOf, testOf, type Value } from './query-conditions.ts';

/** The facets of every living document of one kind, in memory. */
export class FacetTable {
  readonly paths: readonly string[];
  readonly #entries = new Map<string, Entry>();
  /** Orders by path; each is created at the first query that asks for it. */
  readonly #orders = new Map<string, FacetOrder>();
  /** The keys written since the filling from disk began; null when the table is full. */
  #written: Set<string> | null = new Set();

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  /** Adds a facet from disk while the table is being filled; a later write of the same key wins. */
  fill(key: string, facet: Facet): void {
    if (!this.#written?.has(key)) this.#put(key, facet);
  }

  filled(): void {
    this.#written = null;
  }

  /** Records a durable save; null removes the entry. */
  set(key: string, facet: Facet | null): void {
    this.#written?.add(key);
    this.#put(key, facet);
  }

  /**
   * The keys of all documents that match, or of the first `most`, in the requested order; with `after`, in the order of
   * ids, those after this id. Every path of the query is one of `paths`.
   */
  find({ where, orderBy = 'id', descending = false }: Query, most = Number.POSITIVE_INFINITY, after = ''): string[] {
    const order = this.#order(orderBy);
    const matches = this.#matching(where);
    const range = orderBy === 'id' ? (after === '' ? undefined : { gte: after }) : rangeOf(where?.[orderBy]);
    const found: string[] = [];
    for (const { key, facet } of descending ? order.descending(range) : order.ascending(range)) {
      if (found.length >= most) break;
      if (matches(facet) && (after === '' || facet.id !== after)) found.push(key);
    }
    return found;
  }

  /** Counts the matching documents for each value at `path`. Every path is one of `paths`. */
  countBy(path: string, where: Query['where']): Counts {
    const column = this.paths.indexOf(path);
    const matches = this.#matching(where);
    const counts = new Map<Exclude<Scalar, null>, number>();
    const count = (value: Value) => {
      if (value !== null && typeof value !== 'object') counts.set(value, (counts.get(value) ?? 0) + 1);
    };
    // Documents that do not match allocate nothing: there may be many, and this is called often.
    for (const { facet } of this.#entries.values()) {
      if (!matches(facet)) continue;
      const cell = facet.cells[column]!;
      if (Array.isArray(cell)) cell.forEach(count);
      else count(cell as Scalar);
    }
    return counts;
  }

  #put(key: string, facet: Facet | null): void {
    const entry = this.#entries.get(key);
    if (facet && entry) {
      const moving = [...this.#orders.values()].filter((order) => !order.same(entry.facet, facet));
      for (const order of moving) order.remove(entry.facet);
      entry.facet = facet;
      for (const order of moving) order.insert(entry);
    } else if (facet) {
      const added = { key, facet };
      this.#entries.set(key, added);
      for (const order of this.#orders.values()) order.insert(added);
    } else if (entry) {
      for (const order of this.#orders.values()) order.remove(entry.facet);
      this.#entries.delete(key);
    }
  }

  #order(by: string): FacetOrder {
    let order = this.#orders.get(by);
    if (!order) {
      const column = this.paths.indexOf(by);
      const ranked = by === 'id' ? ({ id }: Facet) => id : ({ cells }: Facet) => cells[column]!;
      order = new FacetOrder(ranked, this.#entries.values());
      this.#orders.set(by, order);
    }
    return order;
  }

  #matching(where: Query['where'] = {}): (facet: Facet) => boolean {
    const tests = Object.entries(where).map(([path, condition]) => {
      const column = this.paths.indexOf(path);
      const test = testOf(condition);
      return ({ cells }: Facet) => test(valuesOf(cells[column]!));
    });
    return (facet) => tests.every((test) => test(facet));
  }
}

const one: Cell[] = [null];

/** The values of a cell. The result is valid until the next call. */
function valuesOf(cell: Cell): readonly Value[] {
  if (Array.isArray(cell)) return cell as readonly Value[];
  one[0] = cell;
  return one as readonly Value[];
}
