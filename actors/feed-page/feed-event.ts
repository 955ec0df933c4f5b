import { PLAIN, truncateToBytes } from './truncate-to-bytes.ts';

/**
 * The most bytes of an id in a row. Others choose the ids, which can have any length; longer ones are truncated, so
 * that no document grows without bound.
 */
export const MAX_ID_BYTES = 256;

/** An event of a feed about a sold imp: it was won, or it was rendered and is billed. */
export interface FeedEvent {
  /** When the event came to the log, ms since the epoch by the log's clock. */
  readonly atMs: number;
  readonly trackingId: string;
  /** The `id` of the bid request. */
  readonly auctionId: string;
  /** The id of the imp, for wins. */
  readonly impId: string | null;
  readonly publisherId: string;
  readonly campaignId: string | null;
  readonly crid: string | null;
  /** The clearing price, whole micro-dollars CPM: equal to the nano-dollars that its impression moves. */
  readonly priceCpmMicros: number;
  readonly region: string;
  /** The time of the sale by the selling edge's clock; null where an older edge did not send it. */
  readonly soldAtMs: number | null;
}

/** What a win's row says of the sale beyond the feed, for log-level data. */
export interface WinDetails {
  readonly poolId: string | null;
  readonly dealId: string | null;
  /** The format of the ad that was sold. */
  readonly format: string | null;
  /** As the bid states them, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** As the bid request states it. */
  readonly country: string | null;
}

const NO_DETAILS: WinDetails = {
  poolId: null,
  dealId: null,
  format: null,
  width: null,
  height: null,
  country: null,
};

/**
 * A win as a page stores it, or an impression as older releases wrote it: JSON text, written once and parsed only when
 * a feed is read. (Impressions: see packed-rows.ts.)
 */
export function encodeEventRow({ atMs, ...event }: FeedEvent): string {
  return withRowTime(encodeUntimedRow(event), atMs);
}

/** The row without its time, which the log will give it. Releases up to 0.4 pass over the details. */
export function encodeUntimedRow(event: Omit<FeedEvent, 'atMs'>, details?: WinDetails): string {
  const { trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs } = event;
  const ids = [trackingId, bounded(auctionId), bounded(impId), publisherId, campaignId, bounded(crid)];
  const row = [...ids, priceCpmMicros, region, soldAtMs];
  if (details === undefined) return JSON.stringify(row);
  const { poolId, dealId, format, width, height, country } = details;
  return JSON.stringify([...row, poolId, bounded(dealId), format, width, height, bounded(country)]);
}

export function withRowTime(untimed: string, atMs: number): string {
  return `[${atMs},${untimed.slice(1)}`;
}

export function decodeEventRow(row: string): FeedEvent {
  return decodeWinRow(row).won;
}

/** A win with its details, all null in a row of a release up to 0.4. */
export function decodeWinRow(row: string): { readonly won: FeedEvent; readonly details: WinDetails } {
  const fields = JSON.parse(row);
  const [atMs, trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs] = fields;
  const won = { atMs, trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs };
  if (fields.length <= 10) return { won, details: NO_DETAILS };
  const [poolId, dealId, format, width, height, country] = fields.slice(10);
  return { won, details: { poolId, dealId, format, width, height, country } };
}

/** The id, or its beginning if it is longer than a row may hold. */
export function bounded(id: string | null): string | null {
  if (id === null || (id.length <= MAX_ID_BYTES && PLAIN.test(id))) return id;
  return truncateToBytes(id, MAX_ID_BYTES, (character) => character);
}
