import type { Job } from '../job.ts';

/** Deletes log-level data that is old enough. */
export function deleteLogLevelData(remove: (nowMs: number, signal: AbortSignal) => Promise<readonly string[]>): Job {
  return {
    name: 'delete-log-level-data',
    purpose: 'Deletes files of log-level data that are older than they are kept.',
    cron: '40 3 * * *',
    missed: 'newest',
    async run({ nowMs, signal }) {
      const days = await remove(nowMs, signal);
      return days.length === 0 ? 'nothing was old enough' : `${days.length} days deleted, up to ${days.at(-1)}`;
    },
  };
}
