import type { NanosSum } from '../../../exchange/money/nanos.ts';
import { ratio } from '../../../exchange/money/ratio.ts';
import { GRAINS } from '../grain.ts';
import { addLatency, type LatencyBins } from '../latency.ts';
import { DAY_MS, dayOfLedger } from '../ledger-id.ts';
import { unpack } from '../packed-page.ts';
import { type Page, type RegionPage, type Row, rowName } from '../page.ts';
import type { LedgerState } from '../reduce.ts';
import type { Window } from './period.ts';

/** A ledger as it is stored. */
export interface StoredLedger {
  readonly id: string;
  readonly state: LedgerState;
}

/** A ledger with those of its pages at least that are wanted (see {@link fieldsFor}). */
export interface LedgerPages {
  readonly id: string;
  readonly state: Partial<LedgerState>;
}

/** The fields of a ledger's state that say what happened in a window. */
export function fieldsFor({ grain }: Window): (keyof LedgerState)[] {
  if (grain.name === 'days') return ['days', 'daysOverflown'];
  return grain.name === 'hours' ? ['hours'] : ['names', 'minutes'];
}

/** One counterparty or creative over a period. */
export interface RowSum {
  impressions: number;
  grossNanos: NanosSum;
  feeNanos: NanosSum;
  bids: number;
  wins: number;
  measurable: number;
  viewable: number;
}

/** Everything that ledgers say of a period. `OTHERS` names the rows beyond a page's bound. */
export interface LedgerSum {
  impressions: number;
  grossNanos: NanosSum;
  feeNanos: NanosSum;
  /** By name; 0 when absent. */
  readonly counts: Map<string, number>;
  readonly latency: LatencyBins;
  readonly counterparties: Map<string, RowSum>;
  readonly creatives: Map<string, RowSum>;
}

function emptySum(): LedgerSum {
  return {
    impressions: 0,
    grossNanos: 0n,
    feeNanos: 0n,
    counts: new Map(),
    latency: {},
    counterparties: new Map(),
    creatives: new Map(),
  };
}

/** How often `name` was counted. */
export function countOf(sum: LedgerSum, name: string): number {
  return sum.counts.get(name) ?? 0;
}

/** Imps answered with an ad by those auctioned, 0..1; 0 when there were none. */
export function fillRate(sum: LedgerSum): number {
  return ratio(countOf(sum, 'filledImps'), countOf(sum, 'imps'));
}

/** All pages of the window, of one region or of all. Days without a ledger are days without anything. */
export function sumLedgers(ledgers: readonly LedgerPages[], window: Window, region: string | null = null): LedgerSum {
  const sum = emptySum();
  for (const { page } of pagesIn(ledgers, window)) {
    for (const name in page) if (region === null || name === region) addRegion(sum, page[name]!);
  }
  return sum;
}

/** The same, region by region. */
export function sumByRegion(ledgers: readonly LedgerPages[], window: Window): Map<string, LedgerSum> {
  const sums = new Map<string, LedgerSum>();
  for (const { page } of pagesIn(ledgers, window)) {
    for (const region in page) {
      const sum = sums.get(region) ?? emptySum();
      sums.set(region, sum);
      addRegion(sum, page[region]!);
    }
  }
  return sums;
}

/** The pages of the window's grain that fall into it, with their start. */
export function* pagesIn(
  ledgers: readonly LedgerPages[],
  { grain, fromMs, toMs }: Window,
): Generator<{ readonly startMs: number; readonly page: Page }> {
  for (const { id, state } of ledgers) {
    const dayMs = Date.parse(`${dayOfLedger(id)}T00:00:00Z`);
    if (dayMs + DAY_MS <= fromMs || dayMs >= toMs) continue;
    // A day that has moved more than a page can hold is its hours.
    const { name, lengthMs } = grain.name === 'days' && state.daysOverflown ? HOURS : grain;
    const pages: Readonly<Record<string, Page | string>> = state[name] ?? {};
    for (const index in pages) {
      const startMs = dayMs + Number(index) * lengthMs;
      if (startMs < fromMs || startMs >= toMs) continue;
      const page = pages[index]!;
      yield { startMs, page: typeof page === 'string' ? unpack(page, state.names ?? []) : page };
    }
  }
}

const HOURS = GRAINS.find(({ name }) => name === 'hours')!;

function addRegion(sum: LedgerSum, page: RegionPage): void {
  sum.impressions += page.impressions;
  sum.grossNanos += BigInt(page.grossNanos);
  sum.feeNanos += BigInt(page.feeNanos);
  for (const name in page.counts) sum.counts.set(name, (sum.counts.get(name) ?? 0) + page.counts[name]!);
  addLatency(sum.latency, page.latency);
  addRows(sum.counterparties, page.counterparties);
  addRows(sum.creatives, page.creatives);
}

function addRows(sums: Map<string, RowSum>, rows: Readonly<Record<string, Row>>): void {
  for (const key in rows) {
    const name = rowName(key);
    let sum = sums.get(name);
    if (!sum) {
      sum = { impressions: 0, grossNanos: 0n, feeNanos: 0n, bids: 0, wins: 0, measurable: 0, viewable: 0 };
      sums.set(name, sum);
    }
    const { impressions, grossNanos, feeNanos, bids = 0, wins = 0, measurable = 0, viewable = 0 } = rows[key]!;
    sum.impressions += impressions;
    sum.grossNanos += BigInt(grossNanos);
    sum.feeNanos += BigInt(feeNanos);
    sum.bids += bids;
    sum.wins += wins;
    sum.measurable += measurable;
    sum.viewable += viewable;
  }
}
