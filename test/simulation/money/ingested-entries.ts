/** Entries of the log that each tracking id has one of, as far as they are to be in the books. */
export class IngestedEntries<One> {
  readonly all = new Map<string, One>();
  /** In the log no more, and in no books. */
  readonly #parked = new Set<string>();
  /** By tracking id, what stood there before it was replayed. */
  readonly #replayed = new Map<string, One>();

  /** `twice`: it was there, and was not parked. */
  add(id: string, one: One): 'new' | 'replayed' | 'twice' {
    const before = this.all.get(id);
    this.all.set(id, one);
    if (before === undefined) return 'new';
    if (!this.#parked.delete(id)) return 'twice';
    this.#replayed.set(id, before);
    return 'replayed';
  }

  /** The log has lost what was not acknowledged. */
  unsynced(id: string): void {
    const before = this.#replayed.get(id);
    if (before === undefined) this.all.delete(id);
    else this.#park(id, before);
  }

  park(id: string): void {
    const one = this.all.get(id);
    if (one !== undefined) this.#park(id, one);
  }

  get replayed(): number {
    return this.#replayed.size;
  }

  *inBooks(): Iterable<One> {
    for (const [id, one] of this.all) if (!this.#parked.has(id)) yield one;
  }

  #park(id: string, one: One): void {
    this.#replayed.delete(id);
    this.all.set(id, one);
    this.#parked.add(id);
  }
}
