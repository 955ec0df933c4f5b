import type { CatalogueEntry } from '../ports/catalogue-log.ts';

/** The catalogue log of the simulated server. */
export class CatalogueState {
  entries: CatalogueEntry[] = [];
  tail = 0;
  /** A log without entries begins with this number: a recreated log is above every number that was assigned before. */
  #base = 0;
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  copy(): CatalogueState {
    const copied = new CatalogueState(this.#bound);
    copied.entries = [...this.entries];
    copied.tail = this.tail;
    copied.#base = this.#base;
    return copied;
  }

  publish(payloads: readonly string[]): void {
    if (this.tail === 0) this.tail = this.#base;
    for (const payload of payloads) {
      this.tail += 1;
      this.entries.push({ number: this.tail, payload });
    }
    this.trim(this.#bound);
  }

  trim(kept: number): void {
    if (this.entries.length > kept) this.entries.splice(0, this.entries.length - kept);
  }

  /** Loses and recreates the log: numbers begin somewhere else, where no follower could take one for its next entry. */
  recreate(tail: number): void {
    this.#base = Math.max(this.#base, this.tail) + 1;
    this.entries = [];
    this.tail = tail;
  }

  read(after: number, limit: number): CatalogueEntry[] {
    const newest = this.entries[this.entries.length - 1];
    if (newest && newest.number < after) return [newest];
    return this.entries.filter(({ number }) => number > after).slice(0, limit);
  }
}
