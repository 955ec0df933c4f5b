/** An entry of a {@link LinkedList}, which keeps its place in it. */
export class Linked<Entry> {
  previous: Entry | null = null;
  next: Entry | null = null;
  isListed = false;
}

/**
 * Entries in the order in which they came, each of which can leave at any time. Unlike a `Set` of entries that come and
 * go all the time it leaves nothing for the garbage collector to carry along: see `UnderWay`.
 */
export class LinkedList<Entry extends Linked<Entry>> {
  #first: Entry | null = null;
  #last: Entry | null = null;
  #size = 0;

  get first(): Entry | null {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  /** In order; the entry that was yielded last may leave meanwhile. */
  *[Symbol.iterator](): Generator<Entry> {
    for (let entry = this.#first; entry !== null; ) {
      const { next } = entry;
      yield entry;
      entry = next;
    }
  }

  /** Appends an entry that is in no list. */
  add(entry: Entry): void {
    entry.isListed = true;
    entry.previous = this.#last;
    if (this.#last === null) this.#first = entry;
    else this.#last.next = entry;
    this.#last = entry;
    this.#size++;
  }

  /** False when it had left already. */
  delete(entry: Entry): boolean {
    if (!entry.isListed) return false;
    const { previous, next } = entry;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    // An entry that is gone must not hold on to later ones.
    entry.previous = null;
    entry.next = null;
    entry.isListed = false;
    this.#size--;
    return true;
  }
}
