import { addNanos } from '../../exchange/money/nanos.ts';
import { addLatency } from './latency.ts';
import type { BilledSum, FactCounts, NamedBilledSum, Totals } from './messages.ts';
import type { LedgerPage, LedgerRow, RegionPage } from './page-schema.ts';
import { boundedRowName, encodeRowName } from './row-name.ts';

/** The key of the row that sums the counterparties or creatives beyond a page's bound, so that sums stay whole. */
export const OTHERS_KEY = '*';

/**
 * A name as a key of a stored document: bounded, and after a colon, so that no key is a built-in property of objects
 * (`constructor`).
 */
function rowKey(name: string): string {
  return `:${encodeRowName(boundedRowName(name))}`;
}

/** The name of a key; that of `OTHERS_KEY` is the key itself. */
export function rowName(key: string): string {
  return key === OTHERS_KEY ? OTHERS_KEY : decodeURIComponent(key.slice(1));
}

/** The key of the row that partitions report under the name {@link OTHERS_KEY}: a row like any other. */
export const REPORTED_OTHERS_KEY = `:${OTHERS_KEY}`;

/** The two dimensions of a page's rows. */
export type RowDimension = 'counterparties' | 'creatives';

/**
 * The bound of the named rows of a page in a region, and whether a new row is allowed at all; the latter is read when a
 * name is new to the page.
 */
export interface RowLimit {
  readonly maxRows: number;
  allowsNewRow(part: RowDimension): boolean;
}

/** No bound: every name has a row of its own. */
export const UNLIMITED_ROWS: RowLimit = { maxRows: Number.POSITIVE_INFINITY, allowsNewRow: () => true };

export function emptyRegionPage(): RegionPage {
  return { impressions: 0, grossNanos: 0, feeNanos: 0, counts: {}, latency: {}, counterparties: {}, creatives: {} };
}

/** The totals of one partition and minute as a page. */
export function pageOfTotals(regions: Totals['regions']): LedgerPage {
  const page: LedgerPage = {};
  for (const { region, counterparties, creatives, counts, ...sum } of regions) {
    const regionPage = regionOf(page, region);
    addSum(regionPage, sum, 1);
    if (counts !== undefined) regionPage.counts = { ...counts };
    for (const row of counterparties)
      addSum(rowOf(regionPage, 'counterparties', rowKey(row.id), UNLIMITED_ROWS), row, 1);
    for (const row of creatives) addSum(rowOf(regionPage, 'creatives', rowKey(row.id), UNLIMITED_ROWS), row, 1);
  }
  return page;
}

/** Adds `more` in place; with `sign` -1 subtracts what was added before. */
export function addPage(page: LedgerPage, more: LedgerPage, sign: 1 | -1, bound: RowLimit): void {
  for (const region in more) {
    const from = more[region]!;
    const to = regionOf(page, region);
    addSum(to, from, sign);
    for (const name in from.counts) to.counts[name] = (to.counts[name] ?? 0) + sign * from.counts[name]!;
    for (const bin in from.latency) to.latency[bin] = (to.latency[bin] ?? 0) + sign * from.latency[bin]!;
    addRows(to, from, 'counterparties', sign, bound);
    addRows(to, from, 'creatives', sign, bound);
  }
}

function addRows(to: RegionPage, from: Readonly<RegionPage>, part: RowDimension, sign: 1 | -1, bound: RowLimit): void {
  for (const key in from[part]) {
    const row = rowOf(to, part, key, bound);
    addSum(row, from[part][key]!, sign);
    addBidCounts(row, from[part][key]!, sign);
  }
}

/** Whether all sums of money would stay exact if `more` were added (see exchange/money/nanos.ts). */
export function sumsStayExact(page: LedgerPage | undefined, more: LedgerPage): boolean {
  for (const region in more) {
    const [held, added] = [page?.[region], more[region]!];
    if (!Number.isSafeInteger((held?.grossNanos ?? 0) + added.grossNanos)) return false;
    for (const name in added.counts) {
      if (!Number.isSafeInteger((held?.counts[name] ?? 0) + added.counts[name]!)) return false;
    }
  }
  return true;
}

/** Adds the counts of an edge, in place. */
export function addFacts(page: LedgerPage, facts: FactCounts, bound: RowLimit): void {
  const regionPage = regionOf(page, facts.region);
  for (const name in facts.counts) {
    regionPage.counts[name] = (regionPage.counts[name] ?? 0) + facts.counts[name]!;
  }
  addLatency(regionPage.latency, facts.latency);
  for (const part of ['counterparties', 'creatives'] as const) {
    for (const row of facts[part]) addBidCounts(rowOf(regionPage, part, rowKey(row.id), bound), row, 1);
  }
}

function addSum(sum: BilledSum, more: BilledSum | NamedBilledSum, sign: 1 | -1): void {
  sum.impressions += sign * more.impressions;
  sum.grossNanos = addNanos(sum.grossNanos, sign * more.grossNanos);
  sum.feeNanos = addNanos(sum.feeNanos, sign * more.feeNanos);
}

const BID_COUNTS = ['bids', 'wins', 'measurable', 'viewable'] as const;

function addBidCounts(row: LedgerRow, more: Pick<LedgerRow, (typeof BID_COUNTS)[number]>, sign: 1 | -1): void {
  for (const name of BID_COUNTS) {
    const count = more[name];
    if (count) row[name] = (row[name] ?? 0) + sign * count;
  }
}

function regionOf(page: LedgerPage, region: string): RegionPage {
  page[region] ??= emptyRegionPage();
  return page[region];
}

/**
 * The row of a name, made when new. Rows are never deleted, so a name that came too late for a full page always does:
 * what is subtracted comes out of the row that it was added to.
 */
function rowOf(page: RegionPage, part: RowDimension, key: string, bound: RowLimit): LedgerRow {
  const rows = page[part];
  // The row of the others exists once the page is full.
  const row = rows[key] ?? rows[OTHERS_KEY];
  if (row) return row;
  // Counting the names takes time quadratic in their number, where they have no bound.
  const named = bound === UNLIMITED_ROWS || (Object.keys(rows).length < bound.maxRows && bound.allowsNewRow(part));
  const keyOfNew = named ? key : OTHERS_KEY;
  const made: LedgerRow = { impressions: 0, grossNanos: 0, feeNanos: 0 };
  rows[keyOfNew] = made;
  const bytes = bytesOf.get(rows);
  if (bytes !== undefined) bytesOf.set(rows, bytes + keyOfNew.length + ROW_BYTES);
  return made;
}

/** The bytes of a stored row without its key: names of fields and figures, in BSON as in JSON. */
const ROW_BYTES = 110;

/** The bytes of rows in memory; counted anew after a load. */
const bytesOf = new WeakMap<Readonly<Record<string, LedgerRow>>, number>();

/** The approximate bytes of stored rows: the same for the same names. */
export function rowBytes(rows: Readonly<Record<string, LedgerRow>>): number {
  let bytes = bytesOf.get(rows);
  if (bytes === undefined) {
    bytes = 0;
    for (const key in rows) bytes += key.length + ROW_BYTES;
    bytesOf.set(rows, bytes);
  }
  return bytes;
}
