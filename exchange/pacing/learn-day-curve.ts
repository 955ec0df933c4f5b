import { DayCurve } from './day-curve.ts';

/** What came in one UTC day. */
export interface DayTraffic {
  /** Midnight UTC at which it began, ms since the Unix epoch. */
  readonly startMs: number;
  /** A count for each of its 24 hours. */
  readonly hours: readonly number[];
}

const HOURS = 24;
const DAY_MS = 86_400_000;
/** What an even day counts for among days that were seen: with less than this to go by, the curve is nearly even. */
const EVEN_DAY_WEIGHT = 0.5;
/** A day of the same kind, working day or weekend, says more than one of the other. */
const SAME_KIND_WEIGHT = 4;
/** A day with so many requests counts half: the shape of fewer is mostly chance. */
const SEASONED = 200;

/**
 * The curve expected of the UTC day that begins at `startMs`, learnt from whole earlier days, each of which counts by its shape
 * and not by its size; a day of hardly any requests says less. Without any, traffic is expected to come evenly.
 */
export function learnDayCurve(earlier: readonly DayTraffic[], startMs: number): DayCurve {
  const shares = new Array<number>(HOURS).fill(EVEN_DAY_WEIGHT / HOURS);
  let weights = EVEN_DAY_WEIGHT;
  for (const day of earlier) {
    const total = day.hours.reduce((sum, count) => sum + count, 0);
    if (total === 0) continue;
    const kind = isWeekend(day.startMs) === isWeekend(startMs) ? SAME_KIND_WEIGHT : 1;
    const weight = kind * (total / (total + SEASONED));
    for (const [hour, count] of day.hours.entries()) shares[hour]! += (weight * count) / total;
    weights += weight;
  }
  return new DayCurve(shares.map((share) => share / weights));
}

function isWeekend(dayStartMs: number): boolean {
  // The epoch was a Thursday.
  const weekday = (Math.floor(dayStartMs / DAY_MS) + 4) % 7;
  return weekday === 0 || weekday === 6;
}
