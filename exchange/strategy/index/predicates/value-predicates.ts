import { compareVersions } from '../../versions.ts';
import type { Attribute } from '../attributes/attribute.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { explainedValue, type Predicate } from './predicate.ts';

/** Predicates on the values of an attribute. They hold when at least one of several values satisfies them. */

abstract class ValuePredicate implements Predicate {
  readonly attribute: Attribute;
  readonly likelihood: number;
  readonly keySet = null;
  readonly exclusion = null;

  constructor(attribute: Attribute, likelihood: number) {
    this.attribute = attribute;
    this.likelihood = likelihood;
  }

  abstract holds(occasion: EvaluationContext): boolean;

  actual(occasion: EvaluationContext): unknown {
    return explainedValue(this.attribute.values(occasion));
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

  holds(occasion: EvaluationContext): boolean {
    for (const number of this.attribute.numbers(occasion)) {
      if (this.#compares(number)) return true;
    }
    return false;
  }

  #compares(number: number): boolean {
    return isOnSide(this.#comparison, number, this.#limit);
  }
}

/** Compares versions, number by number. */
export class VersionPredicate extends ValuePredicate {
  readonly #comparison: Comparison;
  readonly #limit: readonly number[] | null;

  /** A null limit spells no version: no value is above or below it. */
  constructor(attribute: Attribute, comparison: Comparison, limit: readonly number[] | null) {
    super(attribute, 0.5);
    this.#comparison = comparison;
    this.#limit = limit;
  }

  holds(occasion: EvaluationContext): boolean {
    if (this.#limit === null) return false;
    for (const version of this.attribute.versions(occasion)) {
      if (isOnSide(this.#comparison, compareVersions(version, this.#limit), 0)) return true;
    }
    return false;
  }
}

function isOnSide(comparison: Comparison, number: number, limit: number): boolean {
  switch (comparison) {
    case 'gt':
      return number > limit;
    case 'gte':
      return number >= limit;
    case 'lt':
      return number < limit;
    case 'lte':
      return number <= limit;
  }
}

export class TextPredicate extends ValuePredicate {
  readonly #operator: 'contains' | 'starts_with';
  /** The text that is looked for, in lower case. */
  readonly #part: string;

  constructor(attribute: Attribute, operator: 'contains' | 'starts_with', part: string) {
    super(attribute, 0.1);
    this.#operator = operator;
    this.#part = part;
  }

  holds(occasion: EvaluationContext): boolean {
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

  holds(occasion: EvaluationContext): boolean {
    return this.attribute.values(occasion).length > 0 === this.#isWanted;
  }
}
