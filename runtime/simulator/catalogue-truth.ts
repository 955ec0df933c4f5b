import type { CatalogueEntry } from '../ports/catalogue-log.ts';

/** The catalogue log as the server has it. */
export class CatalogueTruth {
  entries: CatalogueEntry[] = [];
  tail = 0;
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  copy(): CatalogueTruth {
    const copied = new CatalogueTruth(this.#bound);
    copied.entries = [...this.entries];
    copied.tail = this.tail;
    return copied;
  }

  publish(payloads: readonly string[]): void {
    for (const payload of payloads) {
      this.tail += 1;
      this.entries.push({ number: this.tail, payload });
    }
    this.trim(this.#bound);
  }

  trim(kept: number): void {
    if (this.entries.length > kept) this.entries.splice(0, this.entries.length - kept);
  }

  /** Lost and made anew: numbers begin somewhere else, and nowhere that a follower could take for its next entry. */
  recreate(tail: number): void {
    this.entries = [];
    this.tail = tail;
  }

  read(after: number, limit: number): CatalogueEntry[] {
    const newest = this.entries[this.entries.length - 1];
    if (newest && newest.number < after) return [newest];
    return this.entries.filter(({ number }) => number > after).slice(0, limit);
  }
}
