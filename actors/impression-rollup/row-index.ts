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

/**
 * The rows of a page, and the bytes that they take. Rows are found by publisher, then by campaign or demand source,
 * then by creative, and compared in all else: one key of all fields would cost more than all the rest of the fold.
 */
class RowIndex {
  readonly #rows = new Map<string, Map<string, Map<string, RollupRow[]>>>();
  bytes = 0;

  /** No two rows of a page agree in all that is compared here. Live impressions have no generations. */
  find(impression: Impression, crid: string, slotMs = 0): RollupRow | undefined {
    const { publisher, dsp, campaign = '', region, sandbox = false, account = '' } = impression;
    const ofPublisher = this.#rows.get(publisher);
    const ofCreative = ofPublisher?.get(campaign || dsp)?.get(crid);
    if (ofCreative === undefined) return undefined;
    for (const row of ofCreative) {
      const isAlike =
        row.dsp === dsp &&
        (row.campaign ?? '') === campaign &&
        row.region === region &&
        row.sandbox === sandbox &&
        (row.account ?? '') === account &&
        (row.slotMs ?? 0) === slotMs &&
        (!sandbox || areOfSameGenerations(row, impression));
      if (isAlike) return row;
    }
    return undefined;
  }

  add(row: RollupRow): void {
    const buyer = row.campaign || row.dsp;
    const ofPublisher = this.#rows.get(row.publisher) ?? new Map<string, Map<string, RollupRow[]>>();
    const ofBuyer = ofPublisher.get(buyer) ?? new Map<string, RollupRow[]>();
    const ofCreative = ofBuyer.get(row.crid) ?? [];
    ofCreative.push(row);
    ofBuyer.set(row.crid, ofCreative);
    ofPublisher.set(buyer, ofBuyer);
    this.#rows.set(row.publisher, ofPublisher);
    this.bytes += bytesOf(row);
  }
}

function areOfSameGenerations(row: RollupRow, impression: Impression): boolean {
  return (
    (row.publisherGeneration ?? 0) === (impression.publisherGeneration ?? 0) &&
    (row.dspGeneration ?? 0) === (impression.dspGeneration ?? 0)
  );
}

/** The indexes of the pages in memory; built anew after a load. */
const indexes = new WeakMap<RollupPage, RowIndex>();

function indexOf(page: RollupPage): RowIndex {
  let index = indexes.get(page);
  if (index) return index;
  index = new RowIndex();
  for (const row of page.rows) {
    // Rows of releases up to 0.4 hold the ids of creatives as bidders chose them.
    row.crid = boundedRowName(row.crid);
    index.add(row);
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
  const index = page && indexOf(page);
  const own = index?.find(impression, booked, slotMs);
  if (own) return own;
  let bytes = 0;
  for (const each of pages) bytes += indexOf(each).bytes;
  const crid = bytes < MAX_CREATIVE_ROW_BYTES || booked === '' ? booked : OTHERS_KEY;
  if (index === undefined) return crid;
  const others = crid === booked ? undefined : index.find(impression, OTHERS_KEY, slotMs);
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
  index.add(row);
}

function bytesOf({ publisher, dsp, campaign, region, account, crid }: RollupRow): number {
  const ids = publisher.length + dsp.length + (campaign?.length ?? 0) + region.length + (account?.length ?? 0);
  return ROW_BYTES + ids + (crid === '' ? 0 : CREATIVE_BYTES);
}
