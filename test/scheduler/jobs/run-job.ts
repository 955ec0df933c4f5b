import type { Job } from '#scheduler/job';

/** One run of a job, for a date, as the scheduler would have it. */
export function runJob(job: Job, due: string, signal: AbortSignal = new AbortController().signal): Promise<string> {
  const dueMs = Date.parse(due);
  return job.run({ dueMs, nowMs: dueMs, signal });
}
