import { centsOf, ecpmCentsOf } from '#exchange/money/cents';
import { latencyMsAt } from '../latency.ts';
import { countOf, fillRate, type LedgerSum } from './ledger-sum.ts';
import type { Period } from './period.ts';

/**
 * Specification, Supply source stats, without the ids. `revenue_cents` is the payout: gross less the exchange's fee.
 */
export interface SupplyFigures {
  readonly period: Period;
  readonly impressions: number;
  readonly fill_rate: number;
  readonly revenue_cents: number;
  readonly ecpm_cents: number;
  readonly bid_requests: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** The figures of one publisher, or of the sum of several (a pool's). */
export function supplyFigures(sum: LedgerSum, period: Period): SupplyFigures {
  const revenueNanos = sum.grossNanos - sum.feeNanos;
  return {
    period,
    impressions: sum.impressions,
    fill_rate: fillRate(sum),
    revenue_cents: centsOf(revenueNanos),
    ecpm_cents: ecpmCentsOf(revenueNanos, sum.impressions),
    bid_requests: countOf(sum, 'auctions'),
    p50_ms: latencyMsAt(sum.latency, 0.5),
    p95_ms: latencyMsAt(sum.latency, 0.95),
    p99_ms: latencyMsAt(sum.latency, 0.99),
  };
}

/** An entry of `dsp_breakdown`. `spend_cents` is gross, so the entries sum to gross and not to `revenue_cents`. */
export interface DspBreakdownEntry {
  readonly dsp_id: string;
  readonly dsp_name: string;
  readonly wins: number;
  readonly spend_cents: number;
  readonly avg_cpm_cents: number;
}

/** The DSPs by spend, the largest first. */
export function dspBreakdown(sum: LedgerSum, nameOf: (dspId: string) => string): DspBreakdownEntry[] {
  return counterpartiesBySpend(sum).map(([id, { impressions, grossNanos, wins }]) => ({
    dsp_id: id,
    dsp_name: nameOf(id),
    wins,
    spend_cents: centsOf(grossNanos),
    avg_cpm_cents: ecpmCentsOf(grossNanos, impressions),
  }));
}

/** The counterparties with wins or impressions, by gross, the largest first, then by id. */
export function counterpartiesBySpend({ counterparties }: LedgerSum) {
  return [...counterparties]
    .filter(([, { wins, impressions }]) => wins > 0 || impressions > 0)
    .sort(([idA, a], [idB, b]) => compare(b.grossNanos, a.grossNanos) || b.wins - a.wins || compare(idA, idB));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
