import type { RequestView } from '../read-field.ts';

/** One request at one moment, on which everything is judged at most once. */
export interface Occasion {
  /** Above 0; no other occasion has it until it is begun anew, see `PredicateTable.begin`. */
  readonly epoch: number;
  readonly view: RequestView;
  /** Since the Unix epoch. */
  readonly nowMs: number;
  admits(owner: string): boolean;
}
