import Type, { type Static } from 'typebox';
import { addNanos } from '../../exchange/money/nanos.ts';
import { addLatency } from './latency.ts';
import type { FactCounts, NamedSum, Sum, Totals } from './messages.ts';

const Count = Type.Integer({ minimum: 0 });

/** One counterparty or creative. Absent counts are 0: most rows have few. */
const Row = Type.Object({
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  bids: Type.Optional(Count),
  wins: Type.Optional(Count),
});

const Rows = Type.Record(Type.String(), Row);

/** One region's share of a page. */
export const RegionPage = Type.Object({
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  counts: Type.Record(Type.String(), Count),
  latency: Type.Record(Type.String(), Count),
  counterparties: Rows,
  creatives: Rows,
});

/** What happened in one stretch of time, by region. */
export const Page = Type.Record(Type.String(), RegionPage);

export type Row = Static<typeof Row>;
export type RegionPage = Static<typeof RegionPage>;
export type Page = Static<typeof Page>;

/** Counterparties or creatives beyond a page's bound are kept under this name, so that sums stay whole. */
export const OTHERS = '*';

const PLAIN_NAME = /^[\w-]+$/;

/**
 * A name as a key of a stored document: without dots and dollars, and behind a colon, so that no name is one that
 * objects have by birth (`constructor`). Half a surrogate pair becomes the replacement character.
 */
function rowKey(name: string): string {
  if (PLAIN_NAME.test(name)) return `:${name}`;
  const wellFormed = name.replace(/\p{Surrogate}/gu, '\ufffd');
  return `:${encodeURIComponent(wellFormed).replaceAll('.', '%2E')}`;
}

/** The name that a key was made of; `OTHERS` is its own. */
export function rowName(key: string): string {
  return key === OTHERS ? OTHERS : decodeURIComponent(key.slice(1));
}

function emptyRegionPage(): RegionPage {
  return { impressions: 0, grossNanos: 0, feeNanos: 0, counts: {}, latency: {}, counterparties: {}, creatives: {} };
}

/** Adds the totals of one partition and minute in place; with `sign` -1 takes back what was added before. */
export function addTotals(page: Page, regions: Totals['regions'], sign: 1 | -1, maxRows: number): void {
  for (const { region, counterparties, creatives, ...sum } of regions) {
    page[region] ??= emptyRegionPage();
    const regionPage = page[region];
    addSum(regionPage, sum, sign);
    for (const row of counterparties) addSum(rowOf(regionPage.counterparties, row.id, maxRows), row, sign);
    for (const row of creatives) addSum(rowOf(regionPage.creatives, row.id, maxRows), row, sign);
  }
}

/** Adds what an edge counted, in place. */
export function addFacts(page: Page, facts: FactCounts, maxRows: number): void {
  page[facts.region] ??= emptyRegionPage();
  const regionPage = page[facts.region]!;
  for (const name in facts.counts) {
    regionPage.counts[name] = (regionPage.counts[name] ?? 0) + facts.counts[name]!;
  }
  addLatency(regionPage.latency, facts.latency);
  for (const row of facts.counterparties) addDealings(rowOf(regionPage.counterparties, row.id, maxRows), row);
  for (const row of facts.creatives) addDealings(rowOf(regionPage.creatives, row.id, maxRows), row);
}

function addSum(sum: Sum, more: Sum | NamedSum, sign: 1 | -1): void {
  sum.impressions += sign * more.impressions;
  sum.grossNanos = addNanos(sum.grossNanos, sign * more.grossNanos);
  sum.feeNanos = addNanos(sum.feeNanos, sign * more.feeNanos);
}

function addDealings(row: Row, { bids, wins }: { bids: number; wins: number }): void {
  if (bids > 0) row.bids = (row.bids ?? 0) + bids;
  if (wins > 0) row.wins = (row.wins ?? 0) + wins;
}

/**
 * The row of `name`, made when new. Rows never go away, so a name that came too late for a full page comes too late
 * every time: what is taken back comes out of the row that it went into.
 */
function rowOf(rows: Record<string, Row>, name: string, maxRows: number): Row {
  const key = rowKey(name);
  const row = rows[key];
  if (row) return row;
  const keyOfNew = Object.keys(rows).length < maxRows ? key : OTHERS;
  rows[keyOfNew] ??= { impressions: 0, grossNanos: 0, feeNanos: 0 };
  return rows[keyOfNew];
}
