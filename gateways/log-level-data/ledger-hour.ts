import { ledger } from '#actors/ledger/ledger';
import { type LedgerScope, parseLedgerId } from '#actors/ledger/ledger-id';
import type { LedgerPage } from '#actors/ledger/page';
import type { LedgerState } from '#actors/ledger/state';
import type { StateReads } from '#runtime/ports/store';
import type { Hour } from './hour.ts';
import { addBilled, type BilledSums, noneBilled } from './money-sums.ts';

/** The most ledgers of one day: far above the number of sources of any exchange. */
const MAX_LEDGERS_PER_DAY = 1_000_000;
const AT_A_TIME = 8;

/** The page of one live ledger for an hour. */
export interface LedgerHour {
  readonly scope: LedgerScope;
  readonly id: string;
  readonly page: LedgerPage;
  readonly billed: Readonly<BilledSums>;
}

/** The pages of an hour in all live ledgers of publishers, demand sources and the platform, by the ids of ledgers. */
export async function* readLedgerHours(
  store: Pick<StateReads, 'find' | 'load'>,
  hour: Hour,
): AsyncGenerator<LedgerHour> {
  const where = { filedUnder: `live/${hour.day}` };
  const found = await store.find(ledger.kind, { where, limit: MAX_LEDGERS_PER_DAY });
  const ids = found.map(({ id }) => id).filter((id) => /^(?:publisher|dsp|platform):/.test(id));
  ids.sort();
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const keys = ids.slice(start, start + AT_A_TIME).map((id) => ({ kind: ledger.kind, id }));
    for (const document of await store.load(keys, ['hours'])) {
      if (document === null || document.deleted) continue;
      const page = (document.state as Pick<LedgerState, 'hours'>).hours[Number(hour.hour)];
      if (page === undefined) continue;
      const { scope, whose } = parseLedgerId(document.id);
      yield { scope, id: whose, page, billed: sumOf(page) };
    }
  }
}

function sumOf(page: LedgerPage): BilledSums {
  const sum = noneBilled();
  for (const region in page) addBilled(sum, page[region]!);
  return sum;
}
