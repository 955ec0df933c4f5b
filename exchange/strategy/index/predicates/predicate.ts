import type { Attribute } from '../attributes/attribute.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/** One demand on a request, shared by all campaigns that make it. */
export interface Predicate {
  holds(occasion: EvaluationContext): boolean;
  /** What the request has in the place that is looked at. */
  actual(occasion: EvaluationContext): unknown;
  /** Roughly the share of requests for which it holds, 0 to 1: what is rare is looked at first. */
  readonly likelihood: number;
  /** What it looks at; the table gives it back. */
  readonly attribute: Attribute | null;
  /** Where it holds exactly for requests that meet one of some keys. */
  readonly keySet: KeySet | null;
  /** Where it fails exactly for requests that meet one of some keys. */
  readonly exclusion: KeySet | null;
  /** Nobody makes the demand any more: gives back what it holds besides the attribute. */
  release(): void;
}

export interface KeySet {
  readonly attribute: Attribute;
  /** Ascending. */
  readonly keys: readonly number[];
}

/** What explanations show: null for nothing, a list for several. */
export function explainedValue(values: readonly unknown[]): unknown {
  return values.length === 0 ? null : values.length === 1 ? values[0] : values;
}
