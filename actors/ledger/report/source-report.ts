import { averageCpmOf, centsOf } from '#exchange/money/cents';
import { countOf, fillRate, type LedgerSum } from './ledger-sum.ts';

/** The periods of a source report (specification, "Limits"). */
export const REPORT_PERIODS = ['24h', '7d', '14d', '30d'] as const;

/** Specification, Publisher report, without names and times. */
export interface PublisherReportFigures {
  readonly impressions: number;
  /** The payout: gross less the exchange's fee. */
  readonly revenue_cents: number;
  readonly auctions: number;
  readonly fill_rate: number;
  /** The revenue in USD CPM. */
  readonly avg_cpm: number;
}

export function publisherReportFigures(sum: LedgerSum): PublisherReportFigures {
  const revenueNanos = sum.grossNanos - sum.feeNanos;
  return {
    impressions: sum.impressions,
    revenue_cents: centsOf(revenueNanos),
    auctions: countOf(sum, 'auctions'),
    fill_rate: fillRate(sum),
    avg_cpm: averageCpmOf(revenueNanos, sum.impressions),
  };
}

/** Specification, DSP report, without names and times. */
export interface DspReportFigures {
  /** Before the exchange's fee, which the invoice adds. */
  readonly spend_cents: number;
  /** Won auctions whose ad was rendered and billed: the `wins` of the invoice. */
  readonly wins: number;
  /** The spend in USD CPM. */
  readonly avg_cpm: number;
}

export function dspReportFigures(sum: LedgerSum): DspReportFigures {
  return {
    spend_cents: centsOf(sum.grossNanos),
    wins: sum.impressions,
    avg_cpm: averageCpmOf(sum.grossNanos, sum.impressions),
  };
}
