import { truncateToBytes } from './truncate-to-bytes.ts';

/** Ids that others choose can be of any length; beyond so many bytes of a row they are cut: no document grows without bound. */
export const MAX_ID_BYTES = 256;
/** Of characters that JSON text has in one byte each. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** What a feed tells of a sold imp: that it was won, or that it was shown and is billed. */
export interface FeedEvent {
  /** When it came to the log, ms since the epoch by the log's clock. */
  readonly atMs: number;
  readonly trackingId: string;
  /** `id` of the bid request. */
  readonly auctionId: string;
  /** Of wins. */
  readonly impId: string | null;
  readonly publisherId: string;
  readonly campaignId: string | null;
  readonly crid: string | null;
  /** The clearing price, whole micro-dollars CPM: the nano-dollars that its impression moves. */
  readonly priceCpmMicros: number;
  readonly region: string;
  /** By the selling edge's clock; null where an older edge did not say. */
  readonly soldAtMs: number | null;
}

/**
 * A win as it stands on a page, or an impression as older releases wrote it: JSON text, written once and not looked at until
 * somebody reads the feed. (Impressions: see packed-rows.ts.)
 */
export function encodeEventRow({ atMs, ...event }: FeedEvent): string {
  return withRowTime(encodeUntimedRow(event), atMs);
}

/** Without its time, which the log will give it. */
export function encodeUntimedRow(event: Omit<FeedEvent, 'atMs'>): string {
  const { trackingId, auctionId, impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs } = event;
  const ids = [trackingId, bounded(auctionId), bounded(impId), publisherId, campaignId, bounded(crid)];
  return JSON.stringify([...ids, priceCpmMicros, region, soldAtMs]);
}

export function withRowTime(unstamped: string, atMs: number): string {
  return `[${atMs},${unstamped.slice(1)}`;
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
