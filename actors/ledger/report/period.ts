import { GRAINS, type Grain, type GrainName } from '../grain.ts';
import { DAY_MS, type LedgerScope } from '../ledger-id.ts';

export const PERIODS = ['1h', '6h', 'today', '24h', '7d', '30d'] as const;

/** The periods of the metrics, and the one that only source reports have. */
export type Period = (typeof PERIODS)[number] | '14d';

const HOUR_MS = 3_600_000;

/** A stretch of time made of whole pages of one grain: `fromMs` ≤ page < `toMs`. */
export interface ReportWindow {
  readonly grain: Grain;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The length of each period, and the grain of its pages. `today` covers the hours of the UTC day that have begun. */
const SPANS: Readonly<Record<Exclude<Period, 'today'>, { grain: GrainName; namedMs: number }>> = {
  '1h': { grain: 'minutes', namedMs: HOUR_MS },
  '6h': { grain: 'minutes', namedMs: 6 * HOUR_MS },
  '24h': { grain: 'hours', namedMs: DAY_MS },
  '7d': { grain: 'days', namedMs: 7 * DAY_MS },
  '14d': { grain: 'days', namedMs: 14 * DAY_MS },
  '30d': { grain: 'days', namedMs: 30 * DAY_MS },
};

/**
 * The pages of a period, which ends with the page under way and covers at least its named length: whole minutes for
 * `1h` and `6h`, hours for `24h`, UTC days for periods in days. At 12:30 `24h` begins at 12:00 of the day before.
 */
export function reportWindowOf(period: Period, nowMs: number): ReportWindow {
  if (period === 'today')
    return { grain: grainOf('hours'), fromMs: startOf(nowMs, DAY_MS), toMs: endOf(nowMs, HOUR_MS) };
  const { grain: name, namedMs } = SPANS[period];
  const grain = grainOf(name);
  const toMs = endOf(nowMs, grain.lengthMs);
  return { grain, fromMs: toMs - grain.lengthMs - namedMs, toMs };
}

/** Bucket size of a time series (specification, Common query parameters). */
export function bucketMsOf(period: Period): number {
  return ['7d', '14d', '30d'].includes(period) ? DAY_MS : HOUR_MS;
}

/** The owner of ledgers, and their environment. */
export interface LedgerOwner {
  readonly scope: LedgerScope;
  readonly id: string;
  readonly sandbox: boolean;
  /** The present generation; see sandbox-generation.ts. */
  readonly sandboxGeneration?: number;
}

/** The pages of whole hours of `fromMs` ≤ t < `toMs`. */
export function hoursBetween(fromMs: number, toMs: number): ReportWindow {
  return { grain: grainOf('hours'), fromMs, toMs };
}

/** The pages of whole UTC days of `fromMs` ≤ t < `toMs`. */
export function daysBetween(fromMs: number, toMs: number): ReportWindow {
  return { grain: grainOf('days'), fromMs, toMs };
}

function grainOf(name: GrainName): Grain {
  return GRAINS.find((grain) => grain.name === name)!;
}

function startOf(atMs: number, lengthMs: number): number {
  return Math.floor(atMs / lengthMs) * lengthMs;
}

function endOf(atMs: number, lengthMs: number): number {
  return startOf(atMs, lengthMs) + lengthMs;
}
