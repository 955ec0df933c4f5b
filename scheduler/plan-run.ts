import type { JobState } from '../actors/job/reduce.ts';
import type { CronDates } from './cron-dates.ts';
import type { Job } from './job.ts';

/** What a job is to do next. */
export interface PlannedRun {
  /** The date that it is for. */
  readonly dueMs: number;
  /** Not to begin before this; may be past. */
  readonly atMs: number;
  /** The date may have been done before: somebody wanted it done again, and that was cut short. */
  readonly again: boolean;
}

/** How late a run of a job that makes up for nothing may begin. */
const PUNCTUAL_MS = 60_000;

/** 1, 2, 4, 8 and 16 s after a failure, with up to a quarter more. */
const QUICK_RETRIES = 5;
const FIRST_RETRY_MS = 1_000;
const JITTER = 0.25;
/** What fails even so is put off for so long, unless its next date comes sooner. */
const PUT_OFF_MS = 600_000;

/**
 * What `job` is to do next, as its state and the clock have it; pure. A date is owed until its run was done: what was missed
 * while nobody ran jobs, what failed and what was cut short by a crash are all the same. Null when no date is left in the
 * calendar.
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
  // A job that was never done owes its newest date, so that its first run does not wait for the next one.
  if (latestMs === null || latestMs <= (state.doneMs ?? 0)) return null;
  return missed === 'newest' || nowMs - latestMs < PUNCTUAL_MS ? latestMs : null;
}

/** When a run that failed at `nowMs`, as the `failures`th in a row, is tried again. `jitter` in [0, 1). */
export function retryAt(dates: CronDates, failures: number, nowMs: number, jitter: number): number {
  if (failures <= QUICK_RETRIES) {
    return nowMs + Math.round(FIRST_RETRY_MS * 2 ** (failures - 1) * (1 + JITTER * jitter));
  }
  return Math.min(dates.after(nowMs) ?? Number.POSITIVE_INFINITY, nowMs + PUT_OFF_MS);
}
