import { Cron } from 'croner';

/** The dates of a cron expression, ms since the epoch, in UTC whatever the machine's time zone. */
export interface CronDates {
  /** The last date at or before an instant; null where there was none. */
  latest(atMs: number): number | null;
  /** The first date after an instant; null where there is none. */
  after(atMs: number): number | null;
}

/**
 * Parses five fields: minute, hour, day of month, month, day of week.
 * @throws TypeError or RangeError for an invalid expression
 */
export function cronDates(expression: string): CronDates {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });
  return {
    // `previousRuns` returns dates before its argument, so 1 ms is added.
    latest: (atMs) => cron.previousRuns(1, new Date(atMs + 1))[0]?.getTime() ?? null,
    after: (atMs) => cron.nextRun(new Date(atMs))?.getTime() ?? null,
  };
}
