const HOURS = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = HOURS * HOUR_MS;

/** How a UTC day's traffic comes in: which share of it has gone by at each moment. Even within an hour. */
export class DailyTrafficCurve {
  /** The share that has gone by at the beginning of each hour, and 1 at the end of the day. */
  readonly #goneBy: readonly number[];

  /** `hourShares`: 24 shares of the day, 0 or more, which add up to 1. */
  constructor(hourShares: readonly number[]) {
    const goneBy = [0];
    for (const share of hourShares) goneBy.push(goneBy.at(-1)! + share);
    if (hourShares.length !== HOURS || Math.abs(goneBy[HOURS]! - 1) > 1e-9) {
      throw new RangeError(`not 24 shares of a day: ${hourShares.join(', ')}`);
    }
    this.#goneBy = goneBy;
  }

  /** The share of its day's traffic, 0 to 1, that is expected to have gone by at `nowMs`, since the Unix epoch. */
  elapsedShare(nowMs: number): number {
    const hours = (((nowMs % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
    const hour = Math.floor(hours);
    const from = this.#goneBy[hour]!;
    return Math.min(1, from + (this.#goneBy[hour + 1]! - from) * (hours - hour));
  }
}
