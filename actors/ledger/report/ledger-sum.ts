import type { NanosSum } from '#exchange/money/nanos';
import { ratio } from '#exchange/money/ratio';
import { addLatency, type LatencyBins } from '../latency.ts';
import { rowName } from '../page.ts';
import type { LedgerRow, RegionPage } from '../page-schema.ts';

/** The sums of one counterparty or creative over a period. */
export interface RowSum {
  impressions: number;
  grossNanos: NanosSum;
  feeNanos: NanosSum;
  bids: number;
  wins: number;
  measurable: number;
  viewable: number;
}

/** The sums of ledgers over a period, over all counterparties. */
export interface LedgerTotals {
  impressions: number;
  grossNanos: NanosSum;
  feeNanos: NanosSum;
  /** The counts by name; an absent one is 0. */
  readonly counts: Map<string, number>;
  readonly latency: LatencyBins;
}

/** All sums of ledgers over a period. `OTHERS_KEY` names the rows beyond a page's bound. */
export interface LedgerSum extends LedgerTotals {
  readonly counterparties: Map<string, RowSum>;
  readonly creatives: Map<string, RowSum>;
}

export function emptyLedgerTotals(): LedgerTotals {
  return { impressions: 0, grossNanos: 0n, feeNanos: 0n, counts: new Map(), latency: {} };
}

export function emptySum(): LedgerSum {
  return { ...emptyLedgerTotals(), counterparties: new Map(), creatives: new Map() };
}

/** Whether the sum has rows. Rows are most of a page and are added up only where they are needed. */
export function hasRows(sum: LedgerTotals): sum is LedgerSum {
  return 'counterparties' in sum;
}

/** The count of `name`. */
export function countOf(sum: LedgerTotals, name: string): number {
  return sum.counts.get(name) ?? 0;
}

/** The filled imps divided by the auctioned imps, 0..1; 0 when there were none. */
export function fillRate(sum: LedgerSum): number {
  return ratio(countOf(sum, 'filledImps'), countOf(sum, 'imps'));
}

/** Adds one region's part of a page, in place. */
export function addRegion(sum: LedgerTotals, page: RegionPage): void {
  sum.impressions += page.impressions;
  sum.grossNanos += BigInt(page.grossNanos);
  sum.feeNanos += BigInt(page.feeNanos);
  for (const name in page.counts) sum.counts.set(name, countOf(sum, name) + page.counts[name]!);
  addLatency(sum.latency, page.latency);
  if (!hasRows(sum)) return;
  addRows(sum.counterparties, page.counterparties);
  addRows(sum.creatives, page.creatives);
}

function addRows(sums: Map<string, RowSum>, rows: Readonly<Record<string, LedgerRow>>): void {
  for (const key in rows) {
    const { impressions, grossNanos, feeNanos, bids = 0, wins = 0, measurable = 0, viewable = 0 } = rows[key]!;
    const nanos = { grossNanos: BigInt(grossNanos), feeNanos: BigInt(feeNanos) };
    addRow(rowOf(sums, rowName(key)), { impressions, ...nanos, bids, wins, measurable, viewable });
  }
}

/** The sum of sums. */
export function mergeLedgerSums(sums: readonly LedgerSum[]): LedgerSum {
  const all = emptySum();
  for (const { impressions, grossNanos, feeNanos, counts, latency, counterparties, creatives } of sums) {
    all.impressions += impressions;
    all.grossNanos += grossNanos;
    all.feeNanos += feeNanos;
    for (const [name, count] of counts) all.counts.set(name, countOf(all, name) + count);
    addLatency(all.latency, latency);
    for (const [name, row] of counterparties) addRow(rowOf(all.counterparties, name), row);
    for (const [name, row] of creatives) addRow(rowOf(all.creatives, name), row);
  }
  return all;
}

function addRow(sum: RowSum, more: RowSum): void {
  sum.impressions += more.impressions;
  sum.grossNanos += more.grossNanos;
  sum.feeNanos += more.feeNanos;
  sum.bids += more.bids;
  sum.wins += more.wins;
  sum.measurable += more.measurable;
  sum.viewable += more.viewable;
}

/** The row of a name, with zeros when new. */
export function rowOf(sums: Map<string, RowSum>, name: string): RowSum {
  let sum = sums.get(name);
  if (!sum) {
    sum = { impressions: 0, grossNanos: 0n, feeNanos: 0n, bids: 0, wins: 0, measurable: 0, viewable: 0 };
    sums.set(name, sum);
  }
  return sum;
}
