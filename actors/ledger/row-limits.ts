import type { GrainName } from './grain.ts';
import { REPORTED_OTHERS_KEY, type RowDimension, rowBytes } from './page.ts';
import type { LedgerPage, RegionPage } from './page-schema.ts';
import type { LedgerState } from './state.ts';

const MEGABYTE = 1_048_576;
const HOURS_OF_DAY = 24;

/**
 * From this many bytes on, a name that is new to a page has no row of its own there. Demand sources choose the ids of
 * creatives and no party chooses those of counterparties, so creatives lose their rows first. The sum of the others
 * stays in its region and ledger. Days have one page and need no bound but its rows.
 */
const MAX_NAMED_ROW_BYTES: Readonly<Record<'hours' | 'minutes' | 'open', Readonly<Record<RowDimension, number>>>> = {
  hours: { creatives: 2 * MEGABYTE, counterparties: 3 * MEGABYTE },
  minutes: { creatives: 1.5 * MEGABYTE, counterparties: 2 * MEGABYTE },
  open: { creatives: MEGABYTE, counterparties: 1.5 * MEGABYTE },
};

/**
 * Whether the pages of a grain may name more rows. Called only when a row is to be made. A ledger of an hour has one
 * page of hours, and its day takes 24 of them.
 */
export function allowsNewRow(state: LedgerState, grain: GrainName, part: RowDimension, booksDay: boolean): boolean {
  if (grain === 'days') return true;
  const share = grain === 'hours' && !booksDay ? 1 / HOURS_OF_DAY : 1;
  const leaving = grain === 'minutes' ? (state.leaving ?? []).map(({ pages }) => bytesOfPages(pages)) : [];
  const bytes = leaving.reduce((sum, more) => sum + more, bytesOfPages(state[grain]));
  return bytes < MAX_NAMED_ROW_BYTES[grain][part] * share;
}

/** Whether packed pages of minutes with so many bytes may name more rows. */
export function mayNameMinuteRows(bytes: number, part: RowDimension): boolean {
  return bytes < MAX_NAMED_ROW_BYTES.minutes[part];
}

function bytesOfPages(pages: Readonly<Record<string, LedgerPage | string>>): number {
  let bytes = 0;
  for (const index in pages) {
    const page = pages[index]!;
    if (typeof page === 'string') bytes += page.length;
    else for (const region in page) bytes += rowBytes(page[region]!.creatives) + rowBytes(page[region]!.counterparties);
  }
  return bytes;
}

/**
 * Sums the rows of a partition's totals under one name where the newest minutes of all partitions take too much; in
 * place, before the totals are added anywhere, so that a later subtraction comes out of the same rows.
 * @param packedBytes of `told`
 * @returns whether anything changed
 */
export function foldExcessRows(
  state: LedgerState,
  partition: number,
  reported: LedgerPage,
  packedBytes: number,
): boolean {
  let bytes = packedBytes;
  for (const other in state.open) if (other !== `${partition}`) bytes += state.open[other]!.packed.length;
  for (const { told } of state.parked ?? []) bytes += told?.packed.length ?? 0;
  let changed = false;
  for (const part of ['creatives', 'counterparties'] as const) {
    if (bytes < MAX_NAMED_ROW_BYTES.open[part]) continue;
    for (const region in reported) foldRows(reported[region]!, part);
    changed = true;
  }
  return changed;
}

/** Sums all rows of a page by region, in place. */
export function foldAllRows(page: LedgerPage): void {
  for (const region in page) {
    foldRows(page[region]!, 'creatives');
    foldRows(page[region]!, 'counterparties');
  }
}

function foldRows(page: RegionPage, part: RowDimension): void {
  const sum = { impressions: 0, grossNanos: 0, feeNanos: 0 };
  for (const key in page[part]) {
    const { impressions, grossNanos, feeNanos } = page[part][key]!;
    sum.impressions += impressions;
    sum.grossNanos += grossNanos;
    sum.feeNanos += feeNanos;
  }
  page[part] = sum.impressions === 0 ? {} : { [REPORTED_OTHERS_KEY]: sum };
}
