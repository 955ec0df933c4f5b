import { type CreativeShape, fitsShape } from '../../fitting-creatives.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { Predicate } from './predicate.ts';
import type { PredicateTable } from './predicate-table.ts';

/** Predicates that are not conditions of a document: the owner of the campaign, and the creatives that it can show. */

abstract class OfferPredicate implements Predicate {
  readonly attribute = null;
  readonly keySet = null;
  readonly exclusion = null;
  readonly likelihood = 0.5;

  abstract holds(occasion: EvaluationContext): boolean;

  actual(): unknown {
    return null;
  }

  release(): void {}
}

/** Holds when the auction accepts bids of the campaign's demand source. */
export class OwnerPredicate extends OfferPredicate {
  readonly #owner: string;

  constructor(owner: string) {
    super();
    this.#owner = owner;
  }

  holds(occasion: EvaluationContext): boolean {
    return occasion.admits(this.#owner);
  }
}

/** Holds when the imp can show a creative of this shape. */
export class FitPredicate extends OfferPredicate {
  readonly #shape: CreativeShape;

  constructor(shape: CreativeShape) {
    super();
    this.#shape = shape;
  }

  holds({ view }: EvaluationContext): boolean {
    return fitsShape(this.#shape, view);
  }
}

/** Holds when at least one of several predicates holds. */
export class AnyPredicate extends OfferPredicate {
  /** Predicates that this one holds. */
  readonly #predicates: readonly number[];
  readonly #table: PredicateTable;

  constructor(predicates: readonly number[], table: PredicateTable) {
    super();
    this.#predicates = predicates;
    this.#table = table;
  }

  override holds(): boolean {
    return this.#predicates.some((predicate) => this.#table.holds(predicate));
  }

  override release(): void {
    for (const predicate of this.#predicates) this.#table.release(predicate);
  }
}
