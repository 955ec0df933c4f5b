import type { Attribute } from '../attributes/attribute.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { explainedValue, type KeySet, keyShare, type Predicate } from './predicate.ts';

/** A list of more than 16 keys is searched for the request's keys; a shorter one is gone through. */
const LONG = 16;

/**
 * The predicate of `eq`, `in` and each condition of a targeting; negated, of `neq` and `not_in`, which hold exactly
 * when the others do not.
 */
export class KeyPredicate implements Predicate, KeySet {
  readonly attribute: Attribute;
  /** Keys that the predicate holds, ascending. */
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
    const share = keyShare(this);
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
