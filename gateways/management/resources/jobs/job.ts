import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import type { JobState } from '#actors/job/reduce';

const due_at = Type.String({
  format: 'date-time',
  description: 'The date of the schedule that the run is for; in the past where it makes up for one that was missed.',
});

export const Job = Type.Object(
  {
    name: Type.String(),
    purpose: Type.String(),
    schedule: Type.String({ description: 'Minute, hour, day of month, month, day of week, in UTC.' }),
    missed: Type.Enum(['each', 'newest', 'none'], {
      description: 'Which of the runs that nobody could do, while no process ran jobs, are made up for.',
    }),
    running: Nullable(Type.Object({ due_at, started_at: Timestamp })),
    last_run: Nullable(
      Type.Object({
        due_at,
        started_at: Timestamp,
        ended_at: Timestamp,
        outcome: Type.String({ description: 'What it came to, in one line.' }),
        figures: Nullable(
          Type.Record(Type.String(), Type.Number(), {
            description:
              'What it has found, by names of the job’s own; null where it tells none. Of `audit`: differences in the `books` and in the audit `trail`.',
          }),
        ),
      }),
    ),
    failures: Type.Integer({ minimum: 0, description: 'Runs that have failed since the last one that did not.' }),
    last_failure: Nullable(Type.Object({ due_at, at: Timestamp, reason: Type.String() })),
    next_run_at: Nullable(Timestamp),
  },
  { title: 'Job' },
);
export type Job = Static<typeof Job>;

const time = (atMs: number) => new Date(atMs).toISOString();

/** A job as the API shows it; null for a job that no process has reported yet. */
export function showJob(name: string, state: JobState): Job | null {
  const { description, running, last, lastFailure, failures, nextAtMs } = state;
  if (description === null) return null;
  const { purpose, cron, missed } = description;
  return {
    name,
    purpose,
    schedule: cron,
    missed,
    running: running && { due_at: time(running.dueMs), started_at: time(running.startedAtMs) },
    last_run: last && {
      due_at: time(last.dueMs),
      started_at: time(last.startedAtMs),
      ended_at: time(last.endedAtMs),
      outcome: last.outcome,
      figures: last.figures ?? null,
    },
    failures,
    last_failure: lastFailure && {
      due_at: time(lastFailure.dueMs),
      at: time(lastFailure.atMs),
      reason: lastFailure.reason,
    },
    next_run_at: nextAtMs === null ? null : time(nextAtMs),
  };
}
