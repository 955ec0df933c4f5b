import type { Job } from '../job.ts';

/** The name of the job that writes log-level data: its first run is where the data begins. */
export const WRITE_LOG_LEVEL_DATA = 'write-log-level-data';

/** Writes the hours of log-level data that are over and that the watermark has passed. */
export function writeLogLevelData(write: (nowMs: number, signal: AbortSignal) => Promise<string>): Job {
  return {
    name: WRITE_LOG_LEVEL_DATA,
    purpose:
      'Writes hourly files of wins, impressions and what goes with them, once the books of an hour are complete.',
    cron: '1-59/5 * * * *',
    missed: 'newest',
    run: ({ nowMs, signal }) => write(nowMs, signal),
  };
}
