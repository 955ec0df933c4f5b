/** The number of conjunctions that fit on one page. */
export const PAGE_LENGTH = 32;

/** What a page looks up of the predicates that are put on it. */
export interface PredicateKeys {
  /**
   * Appends the number of an attribute and 1, and three keys, of which a request must meet one; zeros where unknown.
   */
  appendKeys(predicate: number, to: number[]): void;
}

/** The length of a head. */
export const HEAD_LENGTH = 5;

/** The node that a page belongs to. */
interface PageOwner {
  remove(conjunction: number, page: Page): void;
}

/**
 * Conjunctions in flat lists of numbers. Each entry is its own length (this number included), the number of the
 * conjunction, and the predicates that are left to judge, the rarest first.
 *
 * Nearly all entries fail by their rarest predicate. So each has a head: the keys of that predicate, and where the
 * entry begins. Heads lie side by side, and a search reads hardly anything else.
 */
export class Page {
  readonly home: PageOwner;
  readonly heads: number[] = [];
  readonly entries: number[] = [];
  count = 0;

  constructor(home: PageOwner) {
    this.home = home;
  }

  add(conjunction: number, predicates: readonly number[], keys: PredicateKeys): void {
    if (predicates.length === 0) this.heads.push(0, 0, 0, 0);
    else keys.appendKeys(predicates[0]!, this.heads);
    this.heads.push(this.entries.length);
    this.entries.push(predicates.length + 2, conjunction);
    for (const predicate of predicates) this.entries.push(predicate);
    this.count++;
  }

  remove(conjunction: number): void {
    const { heads, entries } = this;
    for (let head = 0; head < heads.length; head += HEAD_LENGTH) {
      const at = heads[head + HEAD_LENGTH - 1]!;
      if (entries[at + 1] !== conjunction) continue;
      const length = entries[at]!;
      entries.splice(at, length);
      heads.splice(head, HEAD_LENGTH);
      // Heads have the order of their entries.
      for (let later = head; later < heads.length; later += HEAD_LENGTH) heads[later + HEAD_LENGTH - 1]! -= length;
      this.count--;
      return;
    }
  }

  /** Each list of predicates is a copy. */
  forEach(see: (conjunction: number, predicates: number[]) => void): void {
    const { entries } = this;
    for (let at = 0; at < entries.length; at += entries[at]!) {
      see(entries[at + 1]!, entries.slice(at + 2, at + entries[at]!));
    }
  }
}
