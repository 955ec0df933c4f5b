import { centsOf } from '../../../exchange/money/cents.ts';
import { latencyMsAt } from '../latency.ts';
import { lastFullMinute, type Period, windowOf } from './period.ts';
import { countOf, fillRate, type LedgerSum, type StoredLedger, sumByRegion, sumLedgers } from './sum.ts';

/** Specification, Metrics objects, Platform/partner. */
export interface PlatformFigures {
  readonly period: Period;
  readonly generated_at: string;
  readonly auctions: number;
  readonly impressions: number;
  readonly fill_rate: number;
  readonly revenue_cents: number;
  readonly bid_requests_sent: number;
  readonly rps_current: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly regions: Readonly<Record<string, { readonly rps: number; readonly fill_rate: number }>>;
}

const SECONDS_PER_MINUTE = 60;

/** Rates are of the last minute that is over; everything else is of the period. `region` narrows all but `regions`. */
export function platformFigures(
  ledgers: readonly StoredLedger[],
  period: Period,
  nowMs: number,
  region: string | null = null,
): PlatformFigures {
  const window = windowOf(period, nowMs);
  const sum = sumLedgers(ledgers, window, region);
  const minute = sumByRegion(ledgers, lastFullMinute(nowMs));
  const rpsOf = (minutes: Iterable<LedgerSum>) => {
    let auctions = 0;
    for (const one of minutes) auctions += countOf(one, 'auctions');
    return Math.round((auctions / SECONDS_PER_MINUTE) * 100) / 100;
  };
  const regions: Record<string, { rps: number; fill_rate: number }> = {};
  for (const [name, ofRegion] of sumByRegion(ledgers, window)) {
    regions[name] = {
      rps: rpsOf([minute.get(name)].filter((one) => one !== undefined)),
      fill_rate: fillRate(ofRegion),
    };
  }
  const ofMinute = region === null ? minute.values() : [minute.get(region)].filter((one) => one !== undefined);
  return {
    period,
    generated_at: new Date(nowMs).toISOString(),
    auctions: countOf(sum, 'auctions'),
    impressions: sum.impressions,
    fill_rate: fillRate(sum),
    revenue_cents: centsOf(sum.grossNanos - sum.feeNanos),
    bid_requests_sent: countOf(sum, 'bidRequests'),
    rps_current: rpsOf(ofMinute),
    p50_ms: latencyMsAt(sum.latency, 0.5),
    p95_ms: latencyMsAt(sum.latency, 0.95),
    p99_ms: latencyMsAt(sum.latency, 0.99),
    regions,
  };
}
