import { DailyTrafficCurve } from './traffic-curve.ts';

/** The requests of one UTC day. */
export interface DayTraffic {
  /** The midnight UTC at which the day began, ms since the Unix epoch. */
  readonly startMs: number;
  /** The count of each of its 24 hours. */
  readonly hours: readonly number[];
}

const HOURS = 24;
const DAY_MS = 86_400_000;
/**
 * The weight of an even day beside the observed days: with a smaller total weight of these, the curve is nearly even.
 */
const EVEN_DAY_WEIGHT = 0.5;
/**
 * The weight of an earlier day. The same day of the week says most; a day of the same kind (working day or weekend)
 * says more than one of the other kind.
 */
const SAME_WEEKDAY_WEIGHT = 8;
const SAME_KIND_WEIGHT = 2;
const OTHER_WEIGHT = 0.25;
/** A day with this many requests has half its weight: the shape of fewer requests is mostly chance. */
const HALF_WEIGHT_REQUESTS = 200;

/**
 * The curve expected for the UTC day that begins at `startMs`, learnt from whole earlier days. Each day counts by its
 * shape and not by its size, and a day of few requests counts less. Without any earlier day, traffic is expected to be
 * even.
 */
export function learnTrafficCurve(earlier: readonly DayTraffic[], startMs: number): DailyTrafficCurve {
  const shares = new Array<number>(HOURS).fill(EVEN_DAY_WEIGHT / HOURS);
  let weights = EVEN_DAY_WEIGHT;
  for (const day of earlier) {
    const total = day.hours.reduce((sum, count) => sum + count, 0);
    if (total === 0) continue;
    const weight = likeness(weekdayOf(day.startMs), weekdayOf(startMs)) * (total / (total + HALF_WEIGHT_REQUESTS));
    for (const [hour, count] of day.hours.entries()) shares[hour]! += (weight * count) / total;
    weights += weight;
  }
  return new DailyTrafficCurve(shares.map((share) => share / weights));
}

function likeness(one: number, other: number): number {
  if (one === other) return SAME_WEEKDAY_WEIGHT;
  return (one % 6 === 0) === (other % 6 === 0) ? SAME_KIND_WEIGHT : OTHER_WEIGHT;
}

/** The day of the week; 0 is Sunday. */
function weekdayOf(dayStartMs: number): number {
  // The epoch (1970-01-01) was a Thursday.
  return (Math.floor(dayStartMs / DAY_MS) + 4) % 7;
}
