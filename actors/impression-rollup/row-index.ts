import { budgetWindowStart } from '../budget/budget-window.ts';
import { OTHERS_KEY } from '../ledger/page.ts';
import { boundedRowName } from '../ledger/row-name.ts';
import type { Impression } from './messages.ts';
import type { RollupPage, RollupRow } from './state.ts';

/** The bytes of a stored row without its ids: names and figures, in BSON as in JSON. */
const ROW_BYTES = 400;
/** The bytes of a creative's id in a row, whatever characters it has. */
const CREATIVE_BYTES = 128;
/**
 * From this many bytes of pages on, creatives that are new to a page are counted as others; publishers, demand sources
 * and campaigns stay apart.
 */
const MAX_CREATIVE_ROW_BYTES = 4 * 1_048_576;
/**
 * The most bytes of rows. Beyond it an impression without a row is parked, because the rollup must fit a document
 * together with its feed outbox. The first impression of a minute is not parked: its page lets the full one before it
 * be dropped, once the ledgers have received that.
 */
export const MAX_ROW_BYTES = 8 * 1_048_576;

/** The rows of a page by their key, and the bytes that they take. */
interface RowIndex {
  readonly rows: Map<string, RollupRow>;
  bytes: number;
}

/** The indexes of the pages in memory; built anew after a load. */
const indexes = new WeakMap<RollupPage, RowIndex>();

function indexOf(page: RollupPage): RowIndex {
  let index = indexes.get(page);
  if (index) return index;
  index = { rows: new Map(), bytes: 0 };
  for (const row of page.rows) {
    // Rows of releases up to 0.4 hold the ids of creatives as bidders chose them.
    row.crid = boundedRowName(row.crid);
    index.rows.set(identity(row, row.crid, row.slotMs), row);
    index.bytes += bytesOf(row);
  }
  indexes.set(page, index);
  return index;
}

/**
 * The row of `page` that counts an impression, or the creative's name for a new row: its id in the form of the ledgers,
 * or `OTHERS` where `pages` hold as many creatives as they may. Throws, and has changed nothing, where they hold as
 * many rows as they may: then the billed parties could not be kept apart any more.
 */
export function findRow(
  pages: readonly RollupPage[],
  page: RollupPage | undefined,
  impression: Impression,
): RollupRow | string {
  const { crid: given = '', soldAtMs } = impression;
  const slotMs = soldAtMs === undefined ? undefined : budgetWindowStart(soldAtMs);
  const booked = boundedRowName(given);
  const rows = page && indexOf(page).rows;
  const own = rows?.get(identity(impression, booked, slotMs));
  if (own) return own;
  let bytes = 0;
  for (const each of pages) bytes += indexOf(each).bytes;
  const crid = bytes < MAX_CREATIVE_ROW_BYTES || booked === '' ? booked : OTHERS_KEY;
  if (rows === undefined) return crid;
  const others = crid === booked ? undefined : rows.get(identity(impression, OTHERS_KEY, slotMs));
  return others ?? assertRowFits(bytes, crid);
}

function assertRowFits(bytes: number, crid: string): string {
  if (bytes >= MAX_ROW_BYTES) throw new Error(`a tally holds ${bytes} bytes of rows and takes no new one`);
  return crid;
}

/** Adds a row that is new on `page`. */
export function addRow(page: RollupPage, row: RollupRow): void {
  const index = indexOf(page);
  page.rows.push(row);
  index.rows.set(identity(row, row.crid, row.slotMs), row);
  index.bytes += bytesOf(row);
}

function bytesOf({ publisher, dsp, campaign, region, account, crid }: RollupRow): number {
  const ids = publisher.length + dsp.length + (campaign?.length ?? 0) + region.length + (account?.length ?? 0);
  return ROW_BYTES + ids + (crid === '' ? 0 : CREATIVE_BYTES);
}

/**
 * The key of a row: impressions with the same key are in one row. The creative's id may hold any characters, so it
 * comes last.
 */
function identity(of: Impression | RollupRow, crid: string, slotMs = 0): string {
  const { publisher, dsp, campaign, region, sandbox = false, account = '' } = of;
  const { publisherGeneration = 0, dspGeneration = 0 } = of;
  return `${publisher}\n${dsp}\n${campaign ?? ''}\n${region}\n${sandbox}\n${account}\n${slotMs}\n${publisherGeneration}\n${dspGeneration}\n${crid}`;
}
