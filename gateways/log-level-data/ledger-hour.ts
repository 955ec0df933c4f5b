import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, type LedgerScope, parseLedgerId } from '#actors/ledger/ledger-id';
import type { LedgerPage } from '#actors/ledger/page-schema';
import { assembleDays, readLedgers } from '#actors/ledger/read-ledgers';
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
  const ids = [...(await findDays(store, hour))].sort();
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const owners = ids.slice(start, start + AT_A_TIME).map((id) => {
      const { scope, whose } = parseLedgerId(id);
      return { owner: { scope, id: whose, sandbox: false }, fromMs: hour.startMs, toMs: hour.endMs };
    });
    for (const { id, state } of assembleDays(await readLedgers(store, owners, ['hours']))) {
      const page = state.hours[Number(hour.hour)];
      if (page === undefined) continue;
      const { scope, whose } = parseLedgerId(id);
      yield { scope, id: whose, page, billed: sumOf(page) };
    }
  }
}

/**
 * The ledgers of the hour's day that may hold something of it: those of days, and those of days that have one of the
 * hour.
 */
async function findDays(store: Pick<StateReads, 'find'>, { day, hour }: Hour): Promise<Set<string>> {
  const limit = MAX_LEDGERS_PER_DAY;
  const ofHour = { in: [`hour/${day}T${hour}`, `filed-hour/${day}T${hour}`] };
  const days = await store.find(ledger.kind, { where: { filedUnder: `live/${day}` }, limit });
  const hours = await store.find(ledger.kind, { where: { filedUnder: ofHour }, limit });
  const ids = [...days, ...hours].map(({ id }) => dayLedgerId(id));
  return new Set(ids.filter((id) => /^(?:publisher|dsp|platform):[^:]*:[^:]*$/.test(id)));
}

function sumOf(page: LedgerPage): BilledSums {
  const sum = noneBilled();
  for (const region in page) addBilled(sum, page[region]!);
  return sum;
}
