/**
 * The input of one run of a job. Everything that a run does is keyed by `dueMs`, so that a repeated run changes
 * nothing.
 */
export interface JobRun {
  /** The date that this run is for, ms since the epoch: a midnight, a full hour. After downtime it lies in the past. */
  readonly dueMs: number;
  /** The present instant, ms since the epoch. */
  readonly nowMs: number;
  /** The signal aborts when the process stops or loses leadership; the next leader does what is left. */
  readonly signal: AbortSignal;
  /** Takes what the run has found, for {@link Job.recall}. Called at most once. */
  readonly found?: (figures: Readonly<Record<string, number>>) => void;
}

/** A job: work that is due at dates, run once in the whole exchange. */
export interface Job {
  /** The name of the job in `GET /api/jobs`, kebab-case. */
  readonly name: string;
  /** One line for people. */
  readonly purpose: string;
  /** The cron expression, UTC, five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /**
   * The missed runs that a start after downtime makes up for: each of them (each date needs its own run), only the
   * newest, or none.
   */
  readonly missed: 'each' | 'newest' | 'none';
  /**
   * Does what is due and resolves with one line that says what was done. A rejection is logged, and the run is tried
   * again with backoff.
   */
  run(run: JobRun): Promise<string>;
  /** Called when a process becomes the leader, with what the last finished run had found, whichever process ran it. */
  recall?(figures: Readonly<Record<string, number>>): void;
}
