import { NANOS_PER_CENT, wholeCentsOf } from '#exchange/money/cents';
import { feePercentOf, WHOLE_PPM } from '#exchange/money/fee';
import { divideHalfEven } from '#exchange/money/half-even';
import type { LedgerSum } from './ledger-sum.ts';

/** The statement of a month under way can still change; that of a month that is over cannot. */
export type StatementStatus = 'in_progress' | 'finalized';

/** The status of a month. Months are `yyyy-mm`, which compare as text. */
export function statusOf(month: string, currentMonth: string): StatementStatus {
  return month < currentMonth ? 'finalized' : 'in_progress';
}

/** Specification, Publisher billing. Whole cents; gross − fee = net. */
export interface Payout {
  readonly gross_revenue_cents: number;
  readonly fee_percent: number;
  readonly fee_cents: number;
  readonly net_payout_cents: number;
  readonly impressions: number;
  readonly currency: 'USD';
}

/**
 * The payout of a publisher. Gross and net are each rounded half-even once, from exact sums, and the fee is the
 * difference: so the three add up, the payout is right to the half cent, and no fee is negative. Each impression was
 * charged the fee of its moment; `fee_percent` is the one that is configured now.
 */
export function payout(sum: LedgerSum, feePpm: number): Payout {
  const grossCents = wholeCentsOf(sum.grossNanos);
  const netCents = wholeCentsOf(sum.grossNanos - sum.feeNanos);
  return {
    gross_revenue_cents: grossCents,
    fee_percent: feePercentOf(feePpm),
    fee_cents: grossCents - netCents,
    net_payout_cents: netCents,
    impressions: sum.impressions,
    currency: 'USD',
  };
}

/** Specification, DSP billing. Whole cents; spend + fee = total due. */
export interface Invoice {
  readonly spend_cents: number;
  readonly fee_percent: number;
  readonly fee_cents: number;
  readonly total_due_cents: number;
  readonly wins: number;
  readonly currency: 'USD';
}

/**
 * The invoice of a DSP: its spend and the configured fee on all of it. Spend and total are each rounded half-even once,
 * from exact sums, and the fee is the difference. `wins` are those that were rendered, because these are billed.
 */
export function invoice(sum: LedgerSum, feePpm: number): Invoice {
  const spendCents = wholeCentsOf(sum.grossNanos);
  const withFee = sum.grossNanos * BigInt(WHOLE_PPM + feePpm);
  const totalCents = Number(divideHalfEven(withFee, NANOS_PER_CENT * BigInt(WHOLE_PPM)));
  return {
    spend_cents: spendCents,
    fee_percent: feePercentOf(feePpm),
    fee_cents: totalCents - spendCents,
    total_due_cents: totalCents,
    wins: sum.impressions,
    currency: 'USD',
  };
}
