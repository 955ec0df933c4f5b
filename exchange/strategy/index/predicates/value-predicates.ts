import type { Attribute } from '../attributes/attribute.ts';
import type { Occasion } from '../occasion.ts';
import { type Predicate, shown } from './predicate.ts';

/** Predicates that look at each value of an attribute: of several, one is enough. */

abstract class ValuePredicate implements Predicate {
  readonly attribute: Attribute;
  readonly likelihood: number;
  readonly keySet = null;
  readonly exclusion = null;

  constructor(attribute: Attribute, likelihood: number) {
    this.attribute = attribute;
    this.likelihood = likelihood;
  }

  abstract holds(occasion: Occasion): boolean;

  actual(occasion: Occasion): unknown {
    return shown(this.attribute.values(occasion));
  }

  release(): void {}
}

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

export class ComparisonPredicate extends ValuePredicate {
  readonly #comparison: Comparison;
  readonly #limit: number;

  constructor(attribute: Attribute, comparison: Comparison, limit: number) {
    super(attribute, 0.5);
    this.#comparison = comparison;
    this.#limit = limit;
  }

  holds(occasion: Occasion): boolean {
    for (const number of this.attribute.numbers(occasion)) {
      if (this.#compares(number)) return true;
    }
    return false;
  }

  #compares(number: number): boolean {
    switch (this.#comparison) {
      case 'gt':
        return number > this.#limit;
      case 'gte':
        return number >= this.#limit;
      case 'lt':
        return number < this.#limit;
      case 'lte':
        return number <= this.#limit;
    }
  }
}

export class TextPredicate extends ValuePredicate {
  readonly #operator: 'contains' | 'starts_with';
  /** In lower case. */
  readonly #part: string;

  constructor(attribute: Attribute, operator: 'contains' | 'starts_with', part: string) {
    super(attribute, 0.1);
    this.#operator = operator;
    this.#part = part;
  }

  holds(occasion: Occasion): boolean {
    for (const text of this.attribute.texts(occasion)) {
      if (this.#operator === 'contains' ? text.includes(this.#part) : text.startsWith(this.#part)) return true;
    }
    return false;
  }
}

export class PresencePredicate extends ValuePredicate {
  readonly #isWanted: boolean;

  constructor(attribute: Attribute, isWanted: boolean) {
    super(attribute, isWanted ? 0.7 : 0.3);
    this.#isWanted = isWanted;
  }

  holds(occasion: Occasion): boolean {
    return this.attribute.values(occasion).length > 0 === this.#isWanted;
  }
}
