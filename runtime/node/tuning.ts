/** The numbers by which a node works. All times in ms. */
export interface Tuning {
  /** A partition whose owner has not renewed for so long is free. */
  readonly leaseTtlMs: number;
  /** How often leases are renewed and placement is looked at. */
  readonly placementIntervalMs: number;
  /** Lazy actors are saved at most this long after their first unsaved message. */
  readonly lazySaveMs: number;
  /** Messages handled between two looks at what must be saved. */
  readonly batchSize: number;
  /** Entries read ahead for each partition. */
  readonly readAhead: number;
  /** How long a read waits for the first entry. */
  readonly readWaitMs: number;
  /** The cursor is committed at most this often while messages flow. */
  readonly commitIntervalMs: number;
  /** A partition that holds so many entries takes no new ones from outside: `Overloaded`. */
  readonly maxPartitionLength: number;
  /** Messages waiting in this process to be appended; past it `Overloaded`. */
  readonly maxUnsent: number;
  /** A message that could not be appended for so long fails. */
  readonly sendTimeoutMs: number;
  /** What saved states cause waits so long for a partition to take it; then it is held back, and its session goes on. */
  readonly publishTimeoutMs: number;
  readonly askTimeoutMs: number;
  /** Asks waiting for their reply in this process; past it `Overloaded`. */
  readonly maxAsks: number;
  /** Replies to requests that carry an id of the caller's are kept so long. */
  readonly keepRepliesMs: number;
  /** What a process sent is remembered so long after its last message: far longer than any retry. */
  readonly forgetSendersMs: number;
  /** An actor without messages for so long leaves memory. */
  readonly idleMs: number;
  /** Actors in memory for each partition; past it the idlest leave. */
  readonly maxActive: number;
  /** The stored high-water mark runs ahead of the log by up to this. */
  readonly highWaterStepMs: number;
  /** Owners that did not get past one cursor after which its messages run one by one. */
  readonly carefulAfter: number;
  /** Deaths of a process in one message's reducer after which the message is parked. */
  readonly parkAfterDeaths: number;
  /** A node whose store has not answered for so long doubts itself. */
  readonly storeSilenceMs: number;
  /** A node that doubts itself hands over once another has been fit for so long: that one's doubt comes later by less. */
  readonly doubtGraceMs: number;
  /** A node that handed over takes partitions again when its store has answered for so long; longer after each relapse. */
  readonly fitAfterMs: number;
  /** Sessions of a partition that fail in a row, over `storeSilenceMs` at least, before another member is to try. */
  readonly declineAfter: number;
  /** For how long, the first time; doubled with each time that follows, up to the second number. */
  readonly declineMs: readonly [number, number];
  /** The first wait after a failure; doubled up to the second number. */
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
