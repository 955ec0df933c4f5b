/** The number of conjunctions that fit on one page. */
export const PAGE_LENGTH = 32;

/** The node that a page belongs to. */
interface PageOwner {
  remove(conjunction: number, page: Page): void;
}

/**
 * Conjunctions in one flat list of numbers. Each entry is its own length (this number included), the number of the
 * conjunction, and the predicates that are left to judge, the rarest first.
 */
export class Page {
  readonly home: PageOwner;
  readonly entries: number[] = [];
  count = 0;

  constructor(home: PageOwner) {
    this.home = home;
  }

  add(conjunction: number, predicates: readonly number[]): void {
    this.entries.push(predicates.length + 2, conjunction);
    for (const predicate of predicates) this.entries.push(predicate);
    this.count++;
  }

  remove(conjunction: number): void {
    const { entries } = this;
    for (let at = 0; at < entries.length; at += entries[at]!) {
      if (entries[at + 1] !== conjunction) continue;
      entries.splice(at, entries[at]!);
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
