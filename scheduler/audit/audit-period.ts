import { DAY_MS } from '../../actors/ledger/ledger-id.ts';

/**
 * The period of an audit: whole hours of `fromMs` ≤ t < `toMs`, UTC, ms since the epoch. The books are complete up to
 * `toMs`.
 */
export interface AuditPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;

/** The start of a UTC day, `yyyy-mm-dd`. */
export function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Whether the whole of this hour of this day is within the period. */
export function holdsHour({ fromMs, toMs }: AuditPeriod, day: string, hour: number): boolean {
  const startMs = dayMs(day) + hour * HOUR_MS;
  return startMs >= fromMs && startMs + HOUR_MS <= toMs;
}

/** Whether any part of this day is within the period. */
export function touchesDay({ fromMs, toMs }: AuditPeriod, day: string): boolean {
  const startMs = dayMs(day);
  return startMs < toMs && startMs + DAY_MS > fromMs;
}

/** Whether the whole of this day is within the period. */
export function holdsDay({ fromMs, toMs }: AuditPeriod, day: string): boolean {
  const startMs = dayMs(day);
  return startMs >= fromMs && startMs + DAY_MS <= toMs;
}
