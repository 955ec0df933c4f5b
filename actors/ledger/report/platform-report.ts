import { centsOf } from '#exchange/money/cents';
import { latencyMsAt } from '../latency.ts';
import { countOf, fillRate, mergeLedgerSums } from './ledger-sum.ts';
import { type Period, reportWindowOf } from './period.ts';
import { type LedgerPages, sumByRegion } from './sum-ledgers.ts';

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

/**
 * The figures of the platform. `rates` are the present auctions per second, by region; all else covers the period.
 * `region` narrows all but `regions`, which has every region that sold in the period or sells now.
 */
export function platformFigures(
  ledgers: readonly LedgerPages[],
  period: Period,
  nowMs: number,
  rates: ReadonlyMap<string, number>,
  region: string | null = null,
): PlatformFigures {
  const byRegion = sumByRegion(ledgers, reportWindowOf(period, nowMs));
  const sum = mergeLedgerSums([...byRegion].filter(([name]) => region === null || name === region).map(([, of]) => of));
  const regions: Record<string, { rps: number; fill_rate: number }> = {};
  for (const name of new Set([...byRegion.keys(), ...rates.keys()])) {
    const ofRegion = byRegion.get(name);
    regions[name] = { rps: rates.get(name) ?? 0, fill_rate: ofRegion === undefined ? 0 : fillRate(ofRegion) };
  }
  const rateOfAll = [...rates.values()].reduce((all, rate) => all + rate, 0);
  return {
    period,
    generated_at: new Date(nowMs).toISOString(),
    auctions: countOf(sum, 'auctions'),
    impressions: sum.impressions,
    fill_rate: fillRate(sum),
    revenue_cents: centsOf(sum.grossNanos - sum.feeNanos),
    bid_requests_sent: countOf(sum, 'bidRequests'),
    rps_current: region === null ? Math.round(rateOfAll * 100) / 100 : (rates.get(region) ?? 0),
    p50_ms: latencyMsAt(sum.latency, 0.5),
    p95_ms: latencyMsAt(sum.latency, 0.95),
    p99_ms: latencyMsAt(sum.latency, 0.99),
    regions,
  };
}
