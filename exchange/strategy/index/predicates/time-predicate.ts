import { DAYS, localTime } from '../../schedule.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { Predicate } from './predicate.ts';

const MINUTE_MS = 60_000;

/** The clock of one time zone, read once a minute: the offset of each zone from UTC is a whole number of minutes. */
export class ZoneClock {
  readonly #timezone: string;
  #minute = Number.NaN;
  #hour = 0;
  #day = 0;

  /** `timezone` must be one: see `isTimezone`. */
  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  /** 0 to 23. */
  hour(nowMs: number): number {
    this.#read(nowMs);
    return this.#hour;
  }

  /** 0 (Monday) to 6. */
  day(nowMs: number): number {
    this.#read(nowMs);
    return this.#day;
  }

  #read(nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return;
    const { hour, day } = localTime(nowMs, this.#timezone);
    this.#minute = minute;
    this.#hour = hour;
    this.#day = day;
  }
}

/** Holds in certain hours of the day, or on certain days of the week, in a time zone. */
export class TimePredicate implements Predicate {
  readonly attribute = null;
  readonly keySet = null;
  readonly exclusion = null;
  readonly likelihood: number;
  readonly #unit: 'hour' | 'day';
  readonly #clock: ZoneClock;
  /** One bit for each hour or day. */
  readonly #mask: number;

  constructor(unit: 'hour' | 'day', clock: ZoneClock, mask: number) {
    this.#unit = unit;
    this.#clock = clock;
    this.#mask = mask;
    this.likelihood = bitsOf(mask) / (unit === 'hour' ? 24 : 7);
  }

  holds({ nowMs }: EvaluationContext): boolean {
    const now = this.#unit === 'hour' ? this.#clock.hour(nowMs) : this.#clock.day(nowMs);
    return ((this.#mask >> now) & 1) === 1;
  }

  actual({ nowMs }: EvaluationContext): unknown {
    return this.#unit === 'hour' ? this.#clock.hour(nowMs) : DAYS[this.#clock.day(nowMs)];
  }

  release(): void {}
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
