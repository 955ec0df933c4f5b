import type { Attribute } from '../attributes/attribute.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { explainedValue, type KeySet, type Predicate } from './predicate.ts';

/** Lists that are longer are searched for what the request has, shorter ones looked through. */
const LONG = 16;

/** `eq`, `in`, and each demand of a targeting; `neq` and `not_in` where it is negated: they hold when the others do not. */
export class KeyPredicate implements Predicate, KeySet {
  readonly attribute: Attribute;
  /** Held, and ascending. */
  readonly keys: readonly number[];
  readonly #isNegated: boolean;

  constructor(attribute: Attribute, keys: readonly number[], isNegated: boolean) {
    this.attribute = attribute;
    this.keys = keys;
    this.#isNegated = isNegated;
  }

  holds(occasion: EvaluationContext): boolean {
    const met = this.attribute.keys(occasion);
    if (met.length === 0) return this.#isNegated;
    return this.#meetsOne(met, occasion) !== this.#isNegated;
  }

  #meetsOne(met: readonly number[], occasion: EvaluationContext): boolean {
    const keys = this.keys;
    if (keys.length > LONG && met.length < LONG) {
      for (const key of met) {
        if (includes(keys, key)) return true;
      }
      return false;
    }
    for (const key of keys) {
      if (this.attribute.meets(key, occasion)) return true;
    }
    return false;
  }

  actual(occasion: EvaluationContext): unknown {
    return explainedValue(this.attribute.values(occasion));
  }

  get likelihood(): number {
    // As if requests had each key as often as the next, and a value that nobody asks for as often as one key.
    const share = this.keys.length / (this.attribute.keyCount + 1);
    return this.#isNegated ? 1 - share : share;
  }

  get keySet(): KeySet | null {
    return this.#isNegated || this.keys.length === 0 ? null : this;
  }

  get exclusion(): KeySet | null {
    return this.#isNegated ? this : null;
  }

  release(): void {
    for (const key of this.keys) this.attribute.release(key);
  }
}

function includes(ascending: readonly number[], wanted: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === wanted;
}
