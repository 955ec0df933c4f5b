import { centsOf } from '#exchange/money/cents';
import { bucketMsOf, type Period, reportWindowOf } from './period.ts';
import { type LedgerPages, sumByTime } from './sum-ledgers.ts';

/** Specification, Metrics objects, Time series. */
export interface TimeSeries {
  readonly period: Period;
  readonly buckets: readonly {
    readonly timestamp: string;
    readonly impressions: number;
    readonly revenue_cents: number;
  }[];
}

/**
 * `breakdown=time`: buckets of an hour or a day, aligned to UTC, oldest first, empty ones included. They sum to the
 * figures of the same period, so the first bucket of `1h` holds only its part within the period. `revenue_cents` is the
 * payout for a publisher and the platform (`net`), the spend for a DSP (`gross`).
 */
export function timeSeries(
  ledgers: readonly LedgerPages[],
  period: Period,
  nowMs: number,
  money: 'net' | 'gross',
  region: string | null = null,
): TimeSeries {
  const sums = sumByTime(ledgers, reportWindowOf(period, nowMs), bucketMsOf(period), region);
  return {
    period,
    buckets: [...sums].map(([startMs, { impressions, grossNanos, feeNanos }]) => ({
      timestamp: new Date(startMs).toISOString(),
      impressions,
      revenue_cents: centsOf(money === 'net' ? grossNanos - feeNanos : grossNanos),
    })),
  };
}
