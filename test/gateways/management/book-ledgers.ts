import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { eventually } from '../../support/eventually.ts';
import type { RunningManagement } from './running-management.ts';

export interface Booking {
  readonly scope: 'publisher' | 'dsp';
  readonly id: string;
  readonly counterparty: string;
  readonly sandbox?: boolean;
  /** By default now. */
  readonly atMs?: number;
}

/**
 * Tells ledgers of 1,000 impressions at a CPM of 2.50 with a fee of 20 %, 250 cents of which 200 are the publisher's,
 * and of the counts that go with them. Resolves when all is saved.
 */
export async function bookLedgers({ node, store }: RunningManagement, bookings: readonly Booking[]): Promise<void> {
  const ids = await Promise.all(
    bookings.map(async ({ scope, id, counterparty, sandbox = false, atMs = Date.now() }) => {
      const minuteMs = Math.floor(atMs / 60_000) * 60_000;
      const address = hourLedgerId(scope, id, minuteMs, sandbox);
      const sum = { impressions: 1000, grossNanos: 2_500_000_000, feeNanos: 500_000_000 };
      await node.messenger.tell(ledger, address, 'totals', {
        partition: 0,
        minuteMs,
        version: `${minuteMs}-0`,
        regions: [
          { region: 'fra', ...sum, counterparties: [{ id: counterparty, ...sum }], creatives: [{ id: 'cr1', ...sum }] },
        ],
      });
      const counts: Record<string, number> =
        scope === 'publisher'
          ? { auctions: 2000, imps: 4000, filledImps: 1000 }
          : { bidRequests: 2000, bids: 1500, wins: 1200, timeouts: 500 };
      await node.messenger.tell(ledger, address, 'facts', {
        minuteMs,
        region: 'fra',
        counts,
        counterparties: [{ id: counterparty, bids: 1500, wins: 1200 }],
        creatives: [{ id: 'cr1', bids: 1500, wins: 1200 }],
        latency: {},
      });
      return address;
    }),
  );
  await eventually('the ledgers to be saved', async () => {
    const documents = await store.load(ids.map((id) => ({ kind: ledger.kind, id })));
    const states = documents.map((document) => JSON.stringify(unpackLedger(document?.state ?? {})));
    return states.every((state) => state.includes('grossNanos') && /"(imps|bidRequests)":/.test(state));
  });
}
