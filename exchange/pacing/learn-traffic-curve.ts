import { DailyTrafficCurve } from './traffic-curve.ts';

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
/** The same day of the week says most; a working day says more of working days, and one of the weekend of weekends. */
const SAME_WEEKDAY_WEIGHT = 8;
const SAME_KIND_WEIGHT = 2;
const OTHER_WEIGHT = 0.25;
/** A day with so many requests counts half: the shape of fewer is mostly chance. */
const HALF_WEIGHT_REQUESTS = 200;

/**
 * The curve expected of the UTC day that begins at `startMs`, learnt from whole earlier days, each of which counts by its shape
 * and not by its size; a day of hardly any requests says less. Without any, traffic is expected to come evenly.
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

/** 0 is Sunday. */
function weekdayOf(dayStartMs: number): number {
  // The epoch was a Thursday.
  return (Math.floor(dayStartMs / DAY_MS) + 4) % 7;
}
