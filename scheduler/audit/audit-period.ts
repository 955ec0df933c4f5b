import { DAY_MS } from '../../actors/ledger/ledger-id.ts';

/** What an audit looks at: whole hours of `fromMs` ≤ t < `toMs`, UTC, ms since the epoch. Up to `toMs` the books are complete. */
export interface AuditPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;

/** Start of a UTC day, `yyyy-mm-dd`. */
export function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Whether this hour of this day is within, the whole of it. */
export function holdsHour({ fromMs, toMs }: AuditPeriod, day: string, hour: number): boolean {
  const startMs = dayMs(day) + hour * HOUR_MS;
  return startMs >= fromMs && startMs + HOUR_MS <= toMs;
}

/** Whether any of this day is within. */
export function touchesDay({ fromMs, toMs }: AuditPeriod, day: string): boolean {
  const startMs = dayMs(day);
  return startMs < toMs && startMs + DAY_MS > fromMs;
}

/** Whether the whole of this day is within. */
export function holdsDay({ fromMs, toMs }: AuditPeriod, day: string): boolean {
  const startMs = dayMs(day);
  return startMs >= fromMs && startMs + DAY_MS <= toMs;
}
