import { NumberTable } from './number-table.ts';

/**
 * A map from number to object for what is under way: entries that come and go all the time, and hold much.
 *
 * `Map` and `Set` are not for these. After some deletions they move to a new table, and V8 keeps a pointer to it in the
 * one before. A table that happens to be moved to the old generation stays there until the next full collection, and
 * with it all tables after it and whatever was in them: a twelfth of all that auctions allocated was copied twice and
 * moved to the old generation that way, for a sixth of their CPU. Here nothing stays behind of an entry that is gone.
 */
export class UnderWay<Value extends object> {
  readonly #places = new NumberTable();
  readonly #values: (Value | null)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  get(key: number): Value | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values[place]!;
  }

  /** `key`: a whole number of 0 or more. */
  set(key: number, value: Value): void {
    const known = this.#places.get(key);
    const place = known ?? this.#free.pop() ?? this.#values.length;
    this.#values[place] = value;
    if (known === undefined) this.#places.set(key, place);
  }

  delete(key: number): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    this.#values[place] = null;
    this.#free.push(place);
  }
}
