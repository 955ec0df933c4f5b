import { type CreativeShape, fitsShape } from '../../fitting-creatives.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { Predicate } from './predicate.ts';
import type { PredicateTable } from './predicate-table.ts';

/** Predicates that are no conditions of a document: whose campaign it is, and what it can show. */

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

/** The auction takes bids of the campaign's demand source. */
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

/** The imp can show a creative of this shape. */
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

/** One of several holds. */
export class AnyPredicate extends OfferPredicate {
  /** Held. */
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
