import type { Facet } from './facet.ts';
import { compareValues, type Value } from './query-conditions.ts';

/** A document of a table: its facet changes, the entry stays. */
export interface Entry {
  readonly key: string;
  facet: Facet;
}

/** What a facet is ordered by. */
export type Rank = (facet: Facet) => Value;

/** All entries of a table by one value, ties by id; kept in that order by every change, so that no query sorts. */
export class FacetOrder {
  readonly rank: Rank;
  readonly #entries: Entry[];

  constructor(rank: Rank, entries: Iterable<Entry>) {
    this.rank = rank;
    this.#entries = [...entries].sort((a, b) => this.#compare(a.facet, b.facet));
  }

  insert(entry: Entry): void {
    this.#entries.splice(this.#placeOf(entry.facet), 0, entry);
  }

  /** `facet`: the one that the entry stands here by. */
  remove(facet: Facet): void {
    this.#entries.splice(this.#placeOf(facet), 1);
  }

  ascending(): readonly Entry[] {
    return this.#entries;
  }

  /** Ties by id, ascending. */
  descending(): Entry[] {
    const turned: Entry[] = [];
    for (let end = this.#entries.length; end > 0; ) {
      let start = end - 1;
      const value = this.rank(this.#entries[start]!.facet);
      while (start > 0 && compareValues(this.rank(this.#entries[start - 1]!.facet), value) === 0) start -= 1;
      for (let at = start; at < end; at++) turned.push(this.#entries[at]!);
      end = start;
    }
    return turned;
  }

  /** Whether an entry may stay where it is when its facet changes. */
  same(before: Facet, after: Facet): boolean {
    return this.#compare(before, after) === 0;
  }

  #placeOf(facet: Facet): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#entries[middle]!.facet, facet) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: Facet, b: Facet): number {
    return compareValues(this.rank(a), this.rank(b)) || compareValues(a.id, b.id);
  }
}
