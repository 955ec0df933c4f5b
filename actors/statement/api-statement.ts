import { feePercentOf } from '../../exchange/money/fee.ts';
import type { Invoice, Payout } from '../ledger/report/statement.ts';
import type { FrozenStatement } from './statement.ts';

/** Specification, Publisher billing, of a month that is closed. */
export function payoutOfStatement({ grossCents, feePpm, feeCents, dueCents, impressions }: FrozenStatement): Payout {
  return {
    gross_revenue_cents: grossCents,
    fee_percent: feePercentOf(feePpm),
    fee_cents: feeCents,
    net_payout_cents: dueCents,
    impressions,
    currency: 'USD',
  };
}

/** Specification, DSP billing, of a month that is closed. */
export function invoiceOfStatement({ grossCents, feePpm, feeCents, dueCents, impressions }: FrozenStatement): Invoice {
  return {
    spend_cents: grossCents,
    fee_percent: feePercentOf(feePpm),
    fee_cents: feeCents,
    total_due_cents: dueCents,
    wins: impressions,
    currency: 'USD',
  };
}
