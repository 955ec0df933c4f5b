import { centsOf } from '../../../exchange/money/cents.ts';
import type { NanosSum } from '../../../exchange/money/nanos.ts';
import { bucketMsOf, type Period, windowOf } from './period.ts';
import { type LedgerPages, pagesIn } from './sum.ts';

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
 * `breakdown=time`: buckets of an hour or a day, aligned to UTC, oldest first, those without impressions too. They sum to
 * the figures of the same period, so the first of `1h` holds only its part that lies in the period. `revenue_cents` is
 * the payout for a publisher and the platform (`net`), the spend for a DSP (`gross`).
 */
export function timeSeries(
  ledgers: readonly LedgerPages[],
  period: Period,
  nowMs: number,
  money: 'net' | 'gross',
  region: string | null = null,
): TimeSeries {
  const window = windowOf(period, nowMs);
  const bucketMs = bucketMsOf(period);
  const buckets = new Map<number, { impressions: number; nanos: NanosSum }>();
  const firstMs = Math.floor(window.fromMs / bucketMs) * bucketMs;
  for (let startMs = firstMs; startMs < window.toMs; startMs += bucketMs) {
    buckets.set(startMs, { impressions: 0, nanos: 0n });
  }
  for (const { startMs, page } of pagesIn(ledgers, window)) {
    const bucket = buckets.get(Math.floor(startMs / bucketMs) * bucketMs)!;
    for (const name in page) {
      if (region !== null && name !== region) continue;
      const { impressions, grossNanos, feeNanos } = page[name]!;
      bucket.impressions += impressions;
      bucket.nanos += BigInt(money === 'net' ? grossNanos - feeNanos : grossNanos);
    }
  }
  return {
    period,
    buckets: [...buckets].map(([startMs, { impressions, nanos }]) => ({
      timestamp: new Date(startMs).toISOString(),
      impressions,
      revenue_cents: centsOf(nanos),
    })),
  };
}
