import { assertExact } from '../../exchange/money/nanos.ts';
import { generations } from './generations.ts';
import type { Impression, InvalidImpression } from './messages.ts';
import type { ImpressionRollupState, InvalidRollupRow, RollupPage } from './state.ts';

/**
 * The most rows of all pages. Beyond it an impression without a row is parked, because the rollup must fit a document.
 * All ids in a row were signed by this exchange. The first impression of a minute is not parked: its page lets the full
 * one before it be dropped.
 */
const MAX_ROWS = 4_000;

/** The indexes of the pages in memory; built anew after a load. */
const indexes = new WeakMap<RollupPage, Map<string, InvalidRollupRow>>();

/**
 * Throws before anything has changed: when a sum would not be exact, or when `page` has no row for the impression and
 * the most rows exist. `page` is undefined while the minute has none.
 */
export function checkInvalid(
  { day, pages }: ImpressionRollupState,
  page: RollupPage | undefined,
  impression: Impression | InvalidImpression,
  counts: Readonly<Record<string, number>>,
): void {
  for (const name in counts) assertExact((day.invalid?.[name] ?? 0) + counts[name]!);
  if (page === undefined) return;
  let rows = 0;
  for (const { invalid } of pages) rows += invalid?.length ?? 0;
  if (rows < MAX_ROWS || indexOf(page).has(identity(impression))) return;
  throw new Error(`a tally holds ${rows} rows of invalid traffic and takes no new one`);
}

/** Adds to the invalid traffic of a page and its day, in place. */
export function addInvalid(
  day: ImpressionRollupState['day'],
  page: RollupPage,
  impression: Impression | InvalidImpression,
  counts: Readonly<Record<string, number>>,
  position: string,
): void {
  const row = rowOf(page, impression, position);
  day.invalid ??= {};
  for (const sums of [row.counts, day.invalid]) {
    for (const name in counts) sums[name] = (sums[name] ?? 0) + counts[name]!;
  }
  row.changedAt = position;
}

function rowOf(page: RollupPage, impression: Impression | InvalidImpression, position: string): InvalidRollupRow {
  const index = indexOf(page);
  const alike = identity(impression);
  let row = index.get(alike);
  if (!row) {
    const { publisher, dsp, campaign = null, region, sandbox = false, account } = impression;
    row = {
      ...{ publisher, dsp, campaign, region, sandbox, ...(account === undefined ? {} : { account }) },
      ...{ ...generations(impression), counts: {}, changedAt: position },
    };
    page.invalid ??= [];
    page.invalid.push(row);
    index.set(alike, row);
  }
  return row;
}

function indexOf(page: RollupPage): Map<string, InvalidRollupRow> {
  let index = indexes.get(page);
  if (!index) {
    index = new Map(page.invalid?.map((row) => [identity(row), row]));
    indexes.set(page, index);
  }
  return index;
}

/** The key of a row: impressions with the same key are in one row. */
function identity(of: Impression | InvalidImpression | InvalidRollupRow): string {
  const { publisher, dsp, campaign, region, sandbox = false, account = '' } = of;
  const { publisherGeneration = 0, dspGeneration = 0 } = of;
  return `${publisher}\n${dsp}\n${campaign ?? ''}\n${region}\n${sandbox}\n${account}\n${publisherGeneration}\n${dspGeneration}`;
}
