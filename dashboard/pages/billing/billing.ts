import type { components } from '../../api/generated.d.ts';

export type PublisherBill = components['schemas']['GetSupplySourceBillingResponse'];
export type DemandBill = components['schemas']['GetDemandSourceBillingResponse'];
export type Bill = PublisherBill | DemandBill;

/** `2026-11`, of now, in UTC: months are UTC's. */
export function thisMonth(nowMs = Date.now()): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

const MONTHS_OFFERED = 24;

/** The running month and those before, newest first, with their names. */
export function months(nowMs = Date.now()): { readonly value: string; readonly label: string }[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS_OFFERED }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    return { value: first.toISOString().slice(0, 7), label: monthName(first.toISOString().slice(0, 7)) };
  });
}

export function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

interface Sums {
  readonly name: string;
  readonly impressions: number;
  readonly grossCents: number;
  readonly feePercent: number;
  readonly feeCents: number;
  /** What is paid out, or is to be paid. */
  readonly dueCents: number;
}

/** What a publisher's payout and a demand source's invoice have in common. */
export function sumsOf(bill: Bill): Sums {
  if ('payout' in bill) {
    const { gross_revenue_cents, fee_percent, fee_cents, net_payout_cents, impressions } = bill.payout;
    return {
      name: bill.publisher,
      impressions,
      grossCents: gross_revenue_cents,
      feePercent: fee_percent,
      feeCents: fee_cents,
      dueCents: net_payout_cents,
    };
  }
  const { spend_cents, fee_percent, fee_cents, total_due_cents, wins } = bill.invoice;
  return {
    name: bill.dsp,
    impressions: wins,
    grossCents: spend_cents,
    feePercent: fee_percent,
    feeCents: fee_cents,
    dueCents: total_due_cents,
  };
}
