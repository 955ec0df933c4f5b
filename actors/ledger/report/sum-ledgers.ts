import { GRAINS } from '../grain.ts';
import { DAY_MS, dayOfLedger, hourOfLedger } from '../ledger-id.ts';
import type { LedgerPage } from '../page-schema.ts';
import type { LedgerState } from '../state.ts';
import { addRegion, emptyLedgerTotals, emptySum, type LedgerSum, type LedgerTotals } from './ledger-sum.ts';
import { PackedSums, regionsIn } from './packed-sums.ts';
import type { ReportWindow } from './period.ts';

/** A ledger as it is stored. */
export interface StoredLedger {
  readonly id: string;
  readonly state: LedgerState;
}

/** A ledger with at least the pages that are needed (see {@link fieldsFor}). */
export interface LedgerPages {
  readonly id: string;
  readonly state: Partial<LedgerState>;
}

/** The fields of the states of ledgers of days that hold the pages of a window. */
export function fieldsFor({ grain }: ReportWindow): (keyof LedgerState)[] {
  if (grain.name === 'days') return ['days', 'daysOverflown', 'filed'];
  return grain.name === 'hours' ? ['hours', 'filed'] : ['names', 'minutes'];
}

/** Sums all pages of the window, of one region or of all. A day without a ledger counts as a day without figures. */
export function sumLedgers(
  ledgers: readonly LedgerPages[],
  window: ReportWindow,
  region: string | null = null,
): LedgerSum {
  const sum = emptySum();
  addLedgers(ledgers, window, (of) => (region === null || of === region ? sum : null));
  return sum;
}

/** The same by region. */
export function sumByRegion(ledgers: readonly LedgerPages[], window: ReportWindow): Map<string, LedgerSum> {
  const sums = new Map<string, LedgerSum>();
  addLedgers(ledgers, window, (region) => sumAt(sums, region, emptySum));
  return sums;
}

/**
 * The same without rows, in buckets of the window's time by their start (ms since the epoch, aligned to UTC): oldest
 * first, empty ones included.
 */
export function sumByTime(
  ledgers: readonly LedgerPages[],
  window: ReportWindow,
  bucketMs: number,
  region: string | null = null,
): Map<number, LedgerTotals> {
  const sums = new Map<number, LedgerTotals>();
  const bucketOf = (atMs: number) => Math.floor(atMs / bucketMs) * bucketMs;
  for (let startMs = bucketOf(window.fromMs); startMs < window.toMs; startMs += bucketMs)
    sumAt(sums, startMs, emptyLedgerTotals);
  addLedgers(ledgers, window, (of, startMs) =>
    region === null || of === region ? sumAt(sums, bucketOf(startMs), emptyLedgerTotals) : null,
  );
  return sums;
}

function sumAt<K, S>(sums: Map<K, S>, key: K, empty: () => S): S {
  const sum = sums.get(key) ?? empty();
  sums.set(key, sum);
  return sum;
}

/** The sum that a region's part of the page beginning at `startMs` belongs to; null where it is not needed. */
type SumOf = (region: string, startMs: number) => LedgerTotals | null;

function addLedgers(ledgers: readonly LedgerPages[], window: ReportWindow, sumOf: SumOf): void {
  for (const ledger of ledgers) {
    const packed = new Map<LedgerTotals, PackedSums>();
    for (const { startMs, page } of pagesIn(ledger, window)) {
      if (typeof page === 'string')
        addPacked(page, ledger.state.names ?? [], packed, (region) => sumOf(region, startMs));
      else {
        for (const region in page) {
          const sum = sumOf(region, startMs);
          if (sum) addRegion(sum, page[region]!);
        }
      }
    }
    for (const sums of packed.values()) sums.finish();
  }
}

function addPacked(
  page: string,
  names: readonly string[],
  packed: Map<LedgerTotals, PackedSums>,
  sumOf: (region: string) => LedgerTotals | null,
): void {
  for (const part of regionsIn(page)) {
    const sum = sumOf(part.region);
    if (!sum) continue;
    let sums = packed.get(sum);
    if (!sums) {
      sums = new PackedSums(sum, names);
      packed.set(sum, sums);
    }
    sums.add(page, part);
  }
}

/** The pages of the window's grain within the window, with their start, in the form in which they are stored. */
function* pagesIn(
  { id, state }: LedgerPages,
  { grain, fromMs, toMs }: ReportWindow,
): Generator<{ readonly startMs: number; readonly page: LedgerPage | string }> {
  const dayMs = Date.parse(`${dayOfLedger(id)}T00:00:00Z`);
  if (dayMs + DAY_MS <= fromMs || dayMs >= toMs) return;
  // A day that is too large for a page is read as its hours, and the ledger of an hour has no page of the day.
  const byHour = state.daysOverflown || hourOfLedger(id) !== null;
  const { name, lengthMs } = grain.name === 'days' && byHour ? HOURS : grain;
  const pages: Readonly<Record<string, LedgerPage | string>> = state[name] ?? {};
  for (const index in pages) {
    const startMs = dayMs + Number(index) * lengthMs;
    if (startMs >= fromMs && startMs < toMs) yield { startMs, page: pages[index]! };
  }
}

const HOURS = GRAINS.find(({ name }) => name === 'hours')!;
