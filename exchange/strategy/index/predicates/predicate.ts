import type { Attribute } from '../attributes/attribute.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/** One condition on a request, shared by all campaigns that have it. */
export interface Predicate {
  holds(occasion: EvaluationContext): boolean;
  /** The request's value that the predicate looks at. */
  actual(occasion: EvaluationContext): unknown;
  /** An estimate of the share of requests for which it holds, 0 to 1. Rare predicates are judged first. */
  readonly likelihood: number;
  /** The attribute that it looks at; the predicate table releases it. */
  readonly attribute: Attribute | null;
  /** The keys that make the predicate hold, where it holds exactly for requests that meet one of them; else null. */
  readonly keySet: KeySet | null;
  /** The keys that make the predicate fail, where it fails exactly for requests that meet one of them; else null. */
  readonly exclusion: KeySet | null;
  /** Called when no campaign uses the predicate any more: releases what it holds besides the attribute. */
  release(): void;
}

export interface KeySet {
  readonly attribute: Attribute;
  /** The keys, ascending. */
  readonly keys: readonly number[];
}

/**
 * An estimate of the share of requests that meet one of the keys. It assumes that requests have each key equally often,
 * and a value that is no key as often as one key.
 */
export function keyShare({ attribute, keys }: KeySet): number {
  return keys.length / (attribute.keyCount + 1);
}

/** The value that explanations show: null for none, a list for several. */
export function explainedValue(values: readonly unknown[]): unknown {
  return values.length === 0 ? null : values.length === 1 ? values[0] : values;
}
