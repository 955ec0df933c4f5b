import { centsOf, ecpmCentsOf } from '#exchange/money/cents';
import { DAY_MS, utcDay } from '../ledger-id.ts';
import { countOf, fillRate } from './ledger-sum.ts';
import { daysBetween, reportWindowOf } from './period.ts';
import { type LedgerPages, sumLedgers } from './sum-ledgers.ts';

export const DAILY_PERIODS = ['7d', '14d', '30d'] as const;
export type DailyPeriod = (typeof DAILY_PERIODS)[number];

/** One UTC day of one publisher. `revenue_cents` is the payout: gross less the exchange's fee. */
export interface DayFigures {
  /** `yyyy-mm-dd`. */
  readonly date: string;
  readonly auctions: number;
  readonly impressions: number;
  readonly fill_rate: number;
  readonly revenue_cents: number;
  readonly ecpm_cents: number;
}

/** One row for each UTC day of the period, today included, oldest first; days without figures have a row too. */
export function dailyReport(ledgers: readonly LedgerPages[], period: DailyPeriod, nowMs: number): DayFigures[] {
  const { fromMs, toMs } = reportWindowOf(period, nowMs);
  const days: DayFigures[] = [];
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const sum = sumLedgers(ledgers, daysBetween(dayMs, dayMs + DAY_MS));
    const revenueNanos = sum.grossNanos - sum.feeNanos;
    days.push({
      date: utcDay(dayMs),
      auctions: countOf(sum, 'auctions'),
      impressions: sum.impressions,
      fill_rate: fillRate(sum),
      revenue_cents: centsOf(revenueNanos),
      ecpm_cents: ecpmCentsOf(revenueNanos, sum.impressions),
    });
  }
  return days;
}
