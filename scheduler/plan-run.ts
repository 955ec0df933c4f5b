import type { JobState } from '../actors/job/reduce.ts';
import type { CronDates } from './cron-dates.ts';
import type { Job } from './job.ts';

/** The next run of a job. */
export interface PlannedRun {
  /** The date that the run is for. */
  readonly dueMs: number;
  /** The run must not begin before this instant; it may lie in the past. */
  readonly atMs: number;
  /** True when the date may have been done before: a repetition was requested, and that run was cut short. */
  readonly again: boolean;
}

/** A run of a job that makes up for no missed dates (`none`) may begin at most this many ms late. */
const PUNCTUAL_MS = 60_000;

/** The number of quick retries: 1, 2, 4, 8 and 16 s after a failure, plus up to 25%. */
const QUICK_RETRIES = 5;
const FIRST_RETRY_MS = 1_000;
const JITTER = 0.25;
/** The wait in ms after the quick retries have failed too, unless the next date comes sooner. */
const PUT_OFF_MS = 600_000;

/**
 * The next run of `job` by its state and the clock; a pure function. A date is owed until its run is done: dates missed
 * without a leader, failed runs and runs cut short by a crash are treated alike. Null when the calendar has no date
 * left.
 */
export function planRun(
  { missed }: Pick<Job, 'missed'>,
  dates: CronDates,
  state: JobState,
  nowMs: number,
): PlannedRun | null {
  const { running, lastFailure, failures } = state;
  const retryAtMs = failures > 0 ? (state.nextAtMs ?? nowMs) : nowMs;
  const owedMs = owedDate(missed, dates, state, nowMs);
  if (owedMs !== null) return { dueMs: owedMs, atMs: retryAtMs, again: false };
  const unfinishedMs = running?.dueMs ?? (failures > 0 && lastFailure !== null ? lastFailure.dueMs : null);
  const givenUp = missed === 'none' && failures > QUICK_RETRIES;
  if (unfinishedMs !== null && !givenUp) return { dueMs: unfinishedMs, atMs: retryAtMs, again: true };
  const nextMs = dates.after(Math.max(nowMs, state.doneMs ?? 0));
  return nextMs === null ? null : { dueMs: nextMs, atMs: nextMs, again: false };
}

function owedDate(missed: Job['missed'], dates: CronDates, state: JobState, nowMs: number): number | null {
  if (missed === 'each') {
    const nextMs = dates.after(state.doneMs ?? state.sinceMs);
    return nextMs !== null && nextMs <= nowMs ? nextMs : null;
  }
  const latestMs = dates.latest(nowMs);
  // A job without any finished run owes its newest date, so that its first run does not wait for the next date.
  if (latestMs === null || latestMs <= (state.doneMs ?? 0)) return null;
  return missed === 'newest' || nowMs - latestMs < PUNCTUAL_MS ? latestMs : null;
}

/**
 * The instant at which a run is retried after it failed at `nowMs` for the `failures`th time in a row. `jitter` is in
 * [0, 1).
 */
export function retryAt(dates: CronDates, failures: number, nowMs: number, jitter: number): number {
  if (failures <= QUICK_RETRIES) {
    return nowMs + Math.round(FIRST_RETRY_MS * 2 ** (failures - 1) * (1 + JITTER * jitter));
  }
  return Math.min(dates.after(nowMs) ?? Number.POSITIVE_INFINITY, nowMs + PUT_OFF_MS);
}
