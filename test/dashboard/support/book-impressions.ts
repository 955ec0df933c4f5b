import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import type { TestExchange } from '../../support/exchange.ts';

const SLOT_MS = 300_000;

/** What was billed in one minute, between a publisher and a demand source. */
export interface Booked {
  readonly publisher: string;
  readonly dsp: string;
  readonly minuteMs: number;
  readonly impressions: number;
}

/**
 * Tells the ledgers of both sides of impressions at 1.50 CPM with a publisher's fee of a tenth, as a partition does;
 * for months that a test cannot wait for.
 */
export async function bookImpressions({ exchange }: TestExchange, booked: Booked): Promise<void> {
  const { publisher, dsp, minuteMs, impressions } = booked;
  const sum = { impressions, grossNanos: impressions * 1_500_000, feeNanos: impressions * 150_000 };
  for (const [id, counterparty] of [
    [ledgerId('publisher', publisher, minuteMs, false), dsp],
    [ledgerId('dsp', dsp, minuteMs, false), publisher],
  ] as const) {
    const totals: Totals = {
      ...{ partition: 0, minuteMs, version: `${minuteMs}-${impressions}` },
      slots: [{ slotMs: minuteMs - (minuteMs % SLOT_MS), impressions, grossNanos: sum.grossNanos }],
      regions: [{ region: 'fra', ...sum, counterparties: [{ id: counterparty, ...sum }], creatives: [] }],
    };
    await exchange.node.messenger.tell(ledger, id, 'totals', totals);
  }
}
