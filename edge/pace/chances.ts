import { type DayTraffic, learnTrafficCurve } from '../../exchange/pacing/learn-traffic-curve.ts';
import type { DailyTrafficCurve } from '../../exchange/pacing/traffic-curve.ts';
import { SharedSum } from './shared-sum.ts';
import type { SumWithExpiry } from './spend-account.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAY_MS = HOURS * HOUR_MS;
/** Days that the traffic curve is learnt from: two of each weekday. */
const DAYS_LEARNT_FROM = 14;
const KEPT_MS = (DAYS_LEARNT_FROM + 2) * DAY_MS;

/**
 * Counts of campaigns' opportunities to bid, hour by hour, shared by all edges. The curve of a day's traffic is learnt
 * from them.
 */
export class BidOpportunities {
  #hour = Number.NaN;
  #sum = new SharedSum('');
  readonly #leaving: SumWithExpiry[] = [];
  #day = Number.NaN;
  #curve: DailyTrafficCurve = learnTrafficCurve([], 0);

  count(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#hour) this.#turn(hour);
    this.#sum.add(1);
  }

  /** The expected share of the day's traffic that has gone by at `nowMs`. */
  elapsedDayShare(nowMs: number): number {
    return this.#curve.elapsedShare(nowMs);
  }

  /** The sums that may have something to send. */
  sums(): SumWithExpiry[] {
    const sums = [...this.#leaving, this.#kept()];
    return sums.filter(({ sum }) => !sum.settled);
  }

  /** Called when all that {@link sums} had to send was sent. */
  sent(): void {
    const unsettled = this.#leaving.filter(({ sum }) => !sum.settled);
    this.#leaving.splice(0, this.#leaving.length, ...unsettled);
  }

  /** Keys of earlier days that are to be read once a day, oldest day first. */
  keys(nowMs: number): readonly string[] {
    const today = Math.floor(nowMs / DAY_MS);
    if (today === this.#day) return [];
    return Array.from({ length: DAYS_LEARNT_FROM * HOURS }, (_, index) =>
      keyOf((today - DAYS_LEARNT_FROM) * HOURS + index),
    );
  }

  /** Takes the counts at the keys of {@link keys}. When some are unknown, it learns nothing until the next call. */
  learn(counts: readonly (number | null)[], nowMs: number): void {
    if (counts.length === 0 || counts.includes(null)) return;
    this.#day = Math.floor(nowMs / DAY_MS);
    const days: DayTraffic[] = Array.from({ length: DAYS_LEARNT_FROM }, (_, index) => ({
      startMs: (this.#day - DAYS_LEARNT_FROM + index) * DAY_MS,
      hours: counts.slice(index * HOURS, (index + 1) * HOURS) as number[],
    }));
    // On the first day with any count, counting may have begun in the middle of the day.
    const first = days.findIndex(({ hours }) => hours.some((count) => count > 0));
    const whole = days.filter(({ hours }, index) => index > first || hours[0]! > 0);
    this.#curve = learnTrafficCurve(whole, this.#day * DAY_MS);
  }

  #turn(hour: number): void {
    if (!this.#sum.settled) this.#leaving.push(this.#kept());
    this.#hour = hour;
    this.#sum = new SharedSum(keyOf(hour));
  }

  #kept(): SumWithExpiry {
    return { sum: this.#sum, expiresAtMs: this.#hour * HOUR_MS + KEPT_MS };
  }
}

/** `hour`: hours since the Unix epoch. */
function keyOf(hour: number): string {
  return `chances/${new Date(hour * HOUR_MS).toISOString().slice(0, 13)}`;
}
