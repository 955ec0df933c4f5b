import type { Cell, Facet } from './facet.ts';
import { compareValues, type Range, type Value } from './query-conditions.ts';

/** An entry of a table: its facet changes, its identity stays. */
export interface Entry {
  readonly key: string;
  facet: Facet;
}

/** The value by which facets are ordered: of several values, the first. */
export type Ranked = (facet: Facet) => Cell;

/** All entries of a table ordered by one value, ties by id. Every change keeps the order, so that no query sorts. */
export class FacetOrder {
  readonly #ranked: Ranked;
  readonly #entries: Entry[];
  /**
   * The number of entries with none or several values: a range may match such an entry although its first value is
   * outside.
   */
  #several = 0;

  constructor(ranked: Ranked, entries: Iterable<Entry>) {
    this.#ranked = ranked;
    this.#entries = [...entries].sort((a, b) => this.#compare(a.facet, b.facet));
    for (const { facet } of this.#entries) if (this.#hasSeveral(facet)) this.#several += 1;
  }

  insert(entry: Entry): void {
    this.#entries.splice(this.#placeOf(entry.facet), 0, entry);
    if (this.#hasSeveral(entry.facet)) this.#several += 1;
  }

  /** Removes an entry; `facet` is the one by which it is placed here. */
  remove(facet: Facet): void {
    this.#entries.splice(this.#placeOf(facet), 1);
    if (this.#hasSeveral(facet)) this.#several -= 1;
  }

  /** Every entry that a range may match, and perhaps others. Found by binary search. */
  ascending(range: Range = {}): readonly Entry[] {
    const { gte, lt } = range;
    if (this.#several > 0 || (gte === undefined && lt === undefined)) return this.#entries;
    const start = gte === undefined ? 0 : this.#firstFrom(gte);
    return this.#entries.slice(start, lt === undefined ? undefined : Math.max(start, this.#firstFrom(lt)));
  }

  /** Ties by id, ascending. Turned as far as it is read. */
  *descending(range: Range = {}): Generator<Entry> {
    const entries = this.ascending(range);
    for (let end = entries.length; end > 0; ) {
      let start = end - 1;
      const value = this.#rank(entries[start]!.facet);
      while (start > 0 && compareValues(this.#rank(entries[start - 1]!.facet), value) === 0) start -= 1;
      for (let at = start; at < end; at++) yield entries[at]!;
      end = start;
    }
  }

  /** Whether an entry may stay where it is when its facet changes. */
  same(before: Facet, after: Facet): boolean {
    return this.#compare(before, after) === 0 && this.#hasSeveral(before) === this.#hasSeveral(after);
  }

  #rank(facet: Facet): Value {
    const cell = this.#ranked(facet);
    return Array.isArray(cell) ? ((cell as readonly Value[])[0] ?? null) : (cell as Value);
  }

  #hasSeveral(facet: Facet): boolean {
    return Array.isArray(this.#ranked(facet));
  }

  #placeOf(facet: Facet): number {
    return this.#first((other) => this.#compare(other, facet) >= 0);
  }

  #firstFrom(value: Value): number {
    return this.#first((facet) => compareValues(this.#rank(facet), value) >= 0);
  }

  /** Of an order in which what `holds` comes behind all else. */
  #first(holds: (facet: Facet) => boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#entries[middle]!.facet)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #compare(a: Facet, b: Facet): number {
    return compareValues(this.#rank(a), this.#rank(b)) || compareValues(a.id, b.id);
  }
}
