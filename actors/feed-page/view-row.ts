import { bounded } from './feed-event.ts';

/** What was seen of a billed impression, once for each measure (MRC). */
export interface ViewedImpression {
  readonly trackingId: string;
  readonly measure: 'measurable' | 'viewable';
  readonly publisherId: string;
  readonly campaignId: string | null;
  readonly crid: string | null;
  readonly region: string;
  /** The time of the sale by the selling edge's clock, ms since the epoch. */
  readonly soldAtMs: number;
}

/** A view as a page of a feed of views stores it, without its time, which the log will give it. */
export function encodeUntimedView(seen: ViewedImpression): string {
  const { trackingId, measure, publisherId, campaignId, crid, region, soldAtMs } = seen;
  return JSON.stringify([trackingId, measure, publisherId, campaignId, bounded(crid), region, soldAtMs]);
}

/** `atMs`: when it came to the log. */
export function decodeViewRow(row: string): ViewedImpression & { readonly atMs: number } {
  const [atMs, trackingId, measure, publisherId, campaignId, crid, region, soldAtMs] = JSON.parse(row);
  return { atMs, trackingId, measure, publisherId, campaignId, crid, region, soldAtMs };
}
