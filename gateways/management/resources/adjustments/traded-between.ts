import type { TradedTotals } from '#actors/adjustment/messages';
import { ledger } from '#actors/ledger/ledger';
import type { LedgerScope } from '#actors/ledger/ledger-id';
import { ledgerIdsBetween, type ReportWindow } from '#actors/ledger/report/period';
import { type LedgerPages, sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
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
  const ids = ledgerIdsBetween({ scope, id, sandbox: false }, window.fromMs, window.toMs);
  const documents = await store.load(
    ids.map((ledgerId) => ({ kind: ledger.kind, id: ledgerId })),
    ['hours'],
  );
  const ledgers = documents.flatMap((document): LedgerPages[] =>
    document && !document.deleted ? [{ id: document.id, state: document.state as Partial<LedgerState> }] : [],
  );
  const row = sumLedgers(ledgers, window).counterparties.get(counterparty);
  if (row === undefined) return NOTHING;
  return { impressions: row.impressions, grossNanos: String(row.grossNanos), feeNanos: String(row.feeNanos) };
}
