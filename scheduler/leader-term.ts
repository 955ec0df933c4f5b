/** One stretch of time in which this process has the right to run jobs. */
export interface LeaderTerm {
  /** Higher than any before, in whatever process. */
  readonly number: number;
  /** Aborts when it is over. */
  readonly over: AbortSignal;
  /** The log's clock as far as it is known here, ms since the epoch: never ahead of it by more than clocks differ in pace. */
  nowMs(): number;
}
