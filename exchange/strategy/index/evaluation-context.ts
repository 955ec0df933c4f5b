import type { TargetingContext } from '../read-field.ts';

/** One request at one moment; each predicate is judged at most once for it. */
export interface EvaluationContext {
  /**
   * The number of this evaluation, above 0. No other evaluation has it until epochs start again; see
   * `PredicateTable.begin`.
   */
  readonly epoch: number;
  readonly view: TargetingContext;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  admits(owner: string): boolean;
}
