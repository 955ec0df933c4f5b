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
  const next = (atMs: number) => cron.nextRun(new Date(atMs))?.getTime() ?? null;
  // A search takes milliseconds, and jobs are looked at every second: the last result holds until the next date.
  let latest: Known = UNKNOWN;
  let after: Known = UNKNOWN;
  return {
    latest(atMs) {
      if (!holdsAt(latest, atMs)) {
        // `previousRuns` returns dates before its argument, so 1 ms is added.
        const dateMs = cron.previousRuns(1, new Date(atMs + 1))[0]?.getTime() ?? null;
        latest = { fromMs: dateMs ?? atMs, beforeMs: next(atMs) ?? Number.POSITIVE_INFINITY, dateMs };
      }
      return latest.dateMs;
    },
    after(atMs) {
      if (!holdsAt(after, atMs)) {
        const dateMs = next(atMs);
        after = { fromMs: atMs, beforeMs: dateMs ?? Number.POSITIVE_INFINITY, dateMs };
      }
      return after.dateMs;
    },
  };
}

/** The result of a search, which is the same for every instant from `fromMs` on and before `beforeMs`. */
interface Known {
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly dateMs: number | null;
}

const UNKNOWN: Known = { fromMs: Number.POSITIVE_INFINITY, beforeMs: Number.NEGATIVE_INFINITY, dateMs: null };

function holdsAt({ fromMs, beforeMs }: Known, atMs: number): boolean {
  return atMs >= fromMs && atMs < beforeMs;
}
