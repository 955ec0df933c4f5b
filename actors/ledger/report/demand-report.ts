import { centsOf, ecpmCentsOf } from '#exchange/money/cents';
import { ratio } from '#exchange/money/ratio';
import { latencyMsAt } from '../latency.ts';
import { countOf, type LedgerSum } from './ledger-sum.ts';
import type { Period } from './period.ts';
import { counterpartiesBySpend } from './supply-report.ts';

/**
 * Specification, Metrics objects, DSP, without ids and breakdown. `spend_cents` is gross: the invoice adds the DSP's
 * fee.
 */
export interface DemandFigures {
  readonly period: Period;
  readonly bid_requests: number;
  readonly bids: number;
  readonly wins: number;
  readonly impressions: number;
  readonly win_rate: number;
  readonly spend_cents: number;
  readonly avg_cpm_cents: number;
}

export function demandFigures(sum: LedgerSum, period: Period): DemandFigures {
  const bids = countOf(sum, 'bids');
  const wins = countOf(sum, 'wins');
  return {
    period,
    bid_requests: countOf(sum, 'bidRequests'),
    bids,
    wins,
    impressions: sum.impressions,
    win_rate: ratio(wins, bids),
    spend_cents: centsOf(sum.grossNanos),
    avg_cpm_cents: ecpmCentsOf(sum.grossNanos, sum.impressions),
  };
}

/** The figures that DSP stats add. */
export interface DemandTiming {
  readonly timeout_rate: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

export function demandTiming(sum: LedgerSum): DemandTiming {
  return {
    timeout_rate: ratio(countOf(sum, 'timeouts'), countOf(sum, 'bidRequests')),
    p50_ms: latencyMsAt(sum.latency, 0.5),
    p95_ms: latencyMsAt(sum.latency, 0.95),
  };
}

export interface PublisherBreakdownEntry {
  readonly publisher_id: string;
  readonly publisher_name: string;
  readonly wins: number;
  readonly spend_cents: number;
}

/** The publishers by spend, the largest first. */
export function publisherBreakdown(sum: LedgerSum, nameOf: (publisherId: string) => string): PublisherBreakdownEntry[] {
  return counterpartiesBySpend(sum).map(([id, { grossNanos, wins }]) => ({
    publisher_id: id,
    publisher_name: nameOf(id),
    wins,
    spend_cents: centsOf(grossNanos),
  }));
}

/** A row of `breakdown=creative`, one for each `crid`. */
export interface CreativeBreakdownEntry {
  readonly creative_id: string;
  readonly bids: number;
  readonly wins: number;
  readonly win_rate: number;
  readonly impressions: number;
  readonly ecpm_cents: number;
}

/** The creatives by impressions, the most first. */
export function creativeBreakdown({ creatives }: LedgerSum): CreativeBreakdownEntry[] {
  return [...creatives]
    .map(([id, { bids, wins, impressions, grossNanos }]) => ({
      creative_id: id,
      bids,
      wins,
      win_rate: ratio(wins, bids),
      impressions,
      ecpm_cents: ecpmCentsOf(grossNanos, impressions),
    }))
    .sort((a, b) => b.impressions - a.impressions || b.wins - a.wins || (a.creative_id < b.creative_id ? -1 : 1));
}
