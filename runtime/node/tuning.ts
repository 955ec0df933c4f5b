/** The time limits and bounds of a node. All times in ms. */
export interface Tuning {
  /** A partition is free when its owner has not renewed the lease for this long. */
  readonly leaseTtlMs: number;
  /** The interval of lease renewal and placement checks. */
  readonly placementIntervalMs: number;
  /**
   * Lazy actors are saved at most this long after their first unsaved message; up to twenty times as long where the
   * partition's last turn wrote more than 50 documents (decision 0080).
   */
  readonly lazySaveMs: number;
  /** The maximum number of messages that are handled before the session checks what must be saved. */
  readonly batchSize: number;
  /** The number of entries read ahead for each partition. */
  readonly readAhead: number;
  /** The time that a read waits for the first entry. */
  readonly readWaitMs: number;
  /** The minimum interval between two commits of the cursor while messages flow. */
  readonly commitIntervalMs: number;
  /** A partition that holds this many entries rejects new ones from outside with `Overloaded`. */
  readonly maxPartitionLength: number;
  /** The maximum number of messages of this process that wait to be appended; more are rejected with `Overloaded`. */
  readonly maxUnsent: number;
  /** A message that could not be appended for this long fails. */
  readonly sendTimeoutMs: number;
  /** The time that a publication waits for a partition to accept it; then it is held back and the session continues. */
  readonly publishTimeoutMs: number;
  readonly askTimeoutMs: number;
  /** The maximum number of asks of this process that wait for their reply; more are rejected with `Overloaded`. */
  readonly maxAsks: number;
  /** The time for which replies to requests with a request id of the caller are kept. */
  readonly keepRepliesMs: number;
  /** The time for which an actor remembers a process after its last message: far longer than any retry. */
  readonly forgetSendersMs: number;
  /** An actor that receives no message for this long leaves memory, unless its kind says sooner. */
  readonly idleMs: number;
  /** The maximum number of actors in memory for each partition; above it the idlest leave. */
  readonly maxActive: number;
  /** The stored high-water mark is raised up to this far ahead of the log. */
  readonly highWaterStepMs: number;
  /** When more than this number of owners failed to get past one cursor, its messages are handled one by one. */
  readonly carefulAfter: number;
  /** A message is parked after this number of processes died while its reducer ran. */
  readonly parkAfterDeaths: number;
  /** A node becomes doubtful when its store has not answered for this long. */
  readonly storeSilenceMs: number;
  /**
   * A doubtful node hands over once another node has been fit for this long. The other node's doubt would come later by
   * less than this.
   */
  readonly doubtGraceMs: number;
  /**
   * A node that handed over takes partitions again when its store has answered for this long; longer after each
   * relapse.
   */
  readonly fitAfterMs: number;
  /**
   * The number of sessions of a partition that must fail in a row, over at least `storeSilenceMs`, before the node
   * declines the partition.
   */
  readonly declineAfter: number;
  /** The time for which a partition is declined: the first value, doubled with each repetition up to the second. */
  readonly declineMs: readonly [number, number];
  /** The delay after a first failure, doubled up to the second value. */
  readonly backoffMs: readonly [number, number];
}

export const DEFAULT_TUNING: Tuning = {
  leaseTtlMs: 4_000,
  placementIntervalMs: 1_500,
  lazySaveMs: 1_000,
  batchSize: 500,
  readAhead: 2_000,
  readWaitMs: 2_000,
  commitIntervalMs: 100,
  maxPartitionLength: 200_000,
  maxUnsent: 50_000,
  sendTimeoutMs: 5_000,
  publishTimeoutMs: 1_000,
  askTimeoutMs: 5_000,
  maxAsks: 10_000,
  keepRepliesMs: 86_400_000,
  forgetSendersMs: 86_400_000,
  idleMs: 60_000,
  maxActive: 5_000,
  highWaterStepMs: 2_000,
  carefulAfter: 3,
  parkAfterDeaths: 3,
  storeSilenceMs: 3_000,
  doubtGraceMs: 2_000,
  fitAfterMs: 10_000,
  declineAfter: 3,
  declineMs: [60_000, 600_000],
  backoffMs: [50, 1_000],
};
