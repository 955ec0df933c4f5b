import { truncateToBytes } from './truncate-to-bytes.ts';

/**
 * The most bytes of an id in a row. Others choose the ids, which can have any length; longer ones are truncated, so
 * that no document grows without bound.
 */
export const MAX_ID_BYTES = 256;
/** Characters that take one byte each in JSON text. */
const PLAIN = /^[ !#-[\]-~]*$/;

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

/**
 * A win as a page stores it, or an impression as older releases wrote it: JSON text, written once and parsed only when
 * a feed is read. (Impressions: see packed-rows.ts.)
 */
export function encodeEventRow({ atMs, ...event }: FeedEvent): string {
  return withRowTime(encodeUntimedRow(event), atMs);
}

/** The row without its time, which the log will give it. */
export function encodeUntimedRow(event: Omit<FeedEvent, 'atMs'>): string {
  const { trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs } = event;
  const ids = [trackingId, bounded(auctionId), bounded(impId), publisherId, campaignId, bounded(crid)];
  return JSON.stringify([...ids, priceCpmMicros, region, soldAtMs]);
}

export function withRowTime(untimed: string, atMs: number): string {
  return `[${atMs},${untimed.slice(1)}`;
}

export function decodeEventRow(row: string): FeedEvent {
  const [atMs, trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs] =
    JSON.parse(row);
  return { atMs, trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs };
}

function bounded(id: string | null): string | null {
  if (id === null || (id.length <= MAX_ID_BYTES && PLAIN.test(id))) return id;
  return truncateToBytes(id, MAX_ID_BYTES, (character) => character);
}
