import type { TradedTotals } from '#actors/adjustment/messages';
import type { LedgerScope } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import type { ReportWindow } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { StateStore } from '#runtime/ports/store';

const NOTHING: TradedTotals = { impressions: 0, grossNanos: '0', feeNanos: '0' };

/**
 * The live trade of two sources in a month, as far as the ledgers name both. A busy page names some 200 counterparties
 * and sums the others, so the side that names more of the trade is used.
 */
export async function tradedBetween(
  store: Pick<StateStore, 'load'>,
  { publisherId, dspId }: { readonly publisherId: string; readonly dspId: string },
  window: ReportWindow,
): Promise<TradedTotals> {
  const sold = await tradedWith(store, { scope: 'publisher', id: publisherId }, dspId, window);
  const bought = await tradedWith(store, { scope: 'dsp', id: dspId }, publisherId, window);
  return sold.impressions >= bought.impressions ? sold : bought;
}

/** The trade with a counterparty that one source's ledgers show. */
export async function tradedWith(
  store: Pick<StateStore, 'load'>,
  { scope, id }: { readonly scope: LedgerScope; readonly id: string },
  counterparty: string,
  window: ReportWindow,
): Promise<TradedTotals> {
  const ledgers = await readLedgerPages(store, [{ scope, id, sandbox: false }], window);
  const row = sumLedgers(ledgers, window).counterparties.get(counterparty);
  if (row === undefined) return NOTHING;
  return { impressions: row.impressions, grossNanos: String(row.grossNanos), feeNanos: String(row.feeNanos) };
}
