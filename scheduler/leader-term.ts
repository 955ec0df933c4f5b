/** One term: a stretch of time in which this process is the leader. */
export interface LeaderTerm {
  /** The number of the term, higher than that of any earlier term of any process. */
  readonly number: number;
  /** The signal aborts when the term is over. */
  readonly over: AbortSignal;
  /**
   * The log's clock as this process estimates it, ms since the epoch: ahead of the log at most by the difference in
   * pace between the clocks.
   */
  nowMs(): number;
}
