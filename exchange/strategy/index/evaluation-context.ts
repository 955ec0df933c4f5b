import type { TargetingContext } from '../read-field.ts';

/** One request at one moment, on which everything is judged at most once. */
export interface EvaluationContext {
  /** Above 0; no other occasion has it until it is begun anew, see `PredicateTable.begin`. */
  readonly epoch: number;
  readonly view: TargetingContext;
  /** Since the Unix epoch. */
  readonly nowMs: number;
  admits(owner: string): boolean;
}
