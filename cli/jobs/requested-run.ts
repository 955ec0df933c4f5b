/** What the API shows of a job that concerns its runs; times are ISO 8601. */
export interface ShownJob {
  readonly running: { readonly started_at: string } | null;
  readonly last_run: { readonly started_at: string; readonly outcome: string } | null;
  readonly failures: number;
  readonly last_failure: { readonly at: string; readonly reason: string } | null;
}

export type RunProgress =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'running'; readonly startedAt: string }
  | { readonly phase: 'done' }
  | { readonly phase: 'failed'; readonly reason: string };

/**
 * Follows the run of a job that is asked for, by what the API shows of the job: the first run that begins after
 * `before` was read. A run that was under way then is another one.
 */
export class RequestedRun {
  readonly #before: ShownJob;
  readonly #startedBefore: string;
  /** The last failure when the requested run was first seen under way; undefined until then. */
  #failureBefore: string | null | undefined;

  /** `before` is the job as it was before the run was asked for. */
  constructor(before: ShownJob) {
    this.#before = before;
    this.#startedBefore = [before.running?.started_at ?? '', before.last_run?.started_at ?? ''].sort().at(-1)!;
    this.#failureBefore = before.running === null ? (before.last_failure?.at ?? null) : undefined;
  }

  /** What has become of the run, as the job is shown now. */
  observe({ running, last_run, failures, last_failure }: ShownJob): RunProgress {
    if (last_run !== null && last_run.started_at > this.#startedBefore) return { phase: 'done' };
    const failedAt = last_failure?.at ?? null;
    const hasFailed =
      this.#failureBefore === undefined
        ? // The run that was under way may have failed, and then the requested one without having been seen.
          failures > this.#before.failures + 1
        : failedAt !== this.#failureBefore;
    if (last_failure !== null && hasFailed) return { phase: 'failed', reason: last_failure.reason };
    if (running === null || running.started_at <= this.#startedBefore) return { phase: 'waiting' };
    this.#failureBefore ??= failedAt;
    return { phase: 'running', startedAt: running.started_at };
  }
}
