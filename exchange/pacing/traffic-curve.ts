const HOURS = 24;
const HOUR_MS = 3_600_000;
const DAY_MS = HOURS * HOUR_MS;

/**
 * The expected course of a UTC day's traffic: the share that has passed at each moment. Traffic is even within an hour.
 */
export class DailyTrafficCurve {
  /** The share that has passed at the beginning of each hour, and 1 at the end of the day. */
  readonly #goneBy: readonly number[];

  /** `hourShares`: 24 shares of the day, each 0 or more, that add up to 1. */
  constructor(hourShares: readonly number[]) {
    const goneBy = [0];
    for (const share of hourShares) goneBy.push(goneBy.at(-1)! + share);
    if (hourShares.length !== HOURS || Math.abs(goneBy[HOURS]! - 1) > 1e-9) {
      throw new RangeError(`not 24 shares of a day: ${hourShares.join(', ')}`);
    }
    this.#goneBy = goneBy;
  }

  /** The share of its day's traffic, 0 to 1, that is expected to have passed at `nowMs`, in ms since the Unix epoch. */
  elapsedShare(nowMs: number): number {
    const hours = (((nowMs % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
    const hour = Math.floor(hours);
    const from = this.#goneBy[hour]!;
    return Math.min(1, from + (this.#goneBy[hour + 1]! - from) * (hours - hour));
  }
}
