import { rowName } from '../ledger/page.ts';
import type { LedgerPage } from '../ledger/page-schema.ts';
import type { StoredLedger } from '../ledger/report/sum-ledgers.ts';

/**
 * The money of ledgers as one text, the same for the same books: a statement's hash is taken of its UTF-8. Counts of
 * bids and latencies are left out, because edges may report them late; the money of a closed month can change no more.
 *
 * The text is JSON without white space, an array with an entry for each ledger that holds money, by id:
 *
 *     [id, hours, slots]
 *     hours  [[hour of the day, region, impressions, gross, fee, [[counterparty, impressions, gross, fee], …]], …]
 *     slots  [[start of the budget window in ms, impressions, gross], …]
 *
 * Money is in whole nano-dollars. Hours and windows are sorted by number, regions and counterparties by UTF-16 code
 * unit. Parts without impressions are left out; counterparties beyond a page's bound are summed under `*`.
 */
export function canonicalLedgerText(ledgers: readonly StoredLedger[]): string {
  const entries = ledgers
    .map(({ id, state }) => [id, hoursOf(state.hours), windowsOf(state.slots)] as const)
    .filter(([, hours]) => hours.length > 0)
    .sort(([a], [b]) => byText(a, b));
  return JSON.stringify(entries);
}

function hoursOf(hours: Readonly<Record<string, LedgerPage>>): unknown[] {
  return Object.keys(hours)
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((hour) =>
      Object.entries(hours[hour]!)
        .filter(([, { impressions }]) => impressions > 0)
        .sort(([a], [b]) => byText(a, b))
        .map(([region, { impressions, grossNanos, feeNanos, counterparties }]) => {
          const rows = Object.entries(counterparties)
            .filter(([, row]) => row.impressions > 0)
            .map(([key, row]) => [rowName(key), row.impressions, row.grossNanos, row.feeNanos] as const)
            .sort(([a], [b]) => byText(a, b));
          return [hour, region, impressions, grossNanos, feeNanos, rows];
        }),
    );
}

function windowsOf(slots: Readonly<Record<string, { readonly impressions: number; readonly grossNanos: number }>>) {
  return Object.keys(slots)
    .map(Number)
    .sort((a, b) => a - b)
    .filter((slotMs) => slots[slotMs]!.impressions > 0)
    .map((slotMs) => [slotMs, slots[slotMs]!.impressions, slots[slotMs]!.grossNanos]);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
