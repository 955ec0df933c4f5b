/** What one run of a job is about. All that it does is keyed by `dueMs`, so that doing it again does nothing. */
export interface JobRun {
  /** The instant that this run is for, ms since the epoch: a midnight, a full hour. After downtime it lies in the past. */
  readonly dueMs: number;
  /** Now, ms since the epoch. */
  readonly nowMs: number;
  /** Aborts when the process stops, or has lost the right to run jobs: what is left is done by whoever has it then. */
  readonly signal: AbortSignal;
}

/** Something that happens by the clock, once in the whole exchange. */
export interface Job {
  /** kebab-case; names it in `GET /api/jobs`. */
  readonly name: string;
  /** For people, one line. */
  readonly purpose: string;
  /** Five fields, UTC: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /**
   * What a start after downtime makes up for: every run that was missed (each date needs its own), the newest of them alone, or
   * none.
   */
  readonly missed: 'each' | 'newest' | 'none';
  /** Does what is due and says in one line what that was. A rejection is told to the log and tried again with backoff. */
  run(run: JobRun): Promise<string>;
}
