import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { feedPage } from '../feed-page/feed-page.ts';
import {
  FIRST_PAGE_IMPRESSIONS,
  feedId,
  firstPageId,
  OVERFLOW_PAGE_IMPRESSIONS,
  overflowPageId,
  pageStartOf,
} from '../feed-page/feed-page-id.ts';
import { ImpressionRows } from '../feed-page/messages.ts';
import { type FeedImpression, firstFields, packRow } from '../feed-page/packed-rows.ts';
import type { Impression } from './messages.ts';
import { partitionOfRollup } from './rollup-id.ts';

const PendingRows = Type.Omit(ImpressionRows, ['partition']);
type PendingRows = Static<typeof PendingRows>;

const Count = Type.Integer({ minimum: 0 });

/** The progress of one feed's pages in a stretch. */
const FeedCounts = Type.Object({
  /** The number of impressions so far. */
  impressions: Count,
  /** The number of the further page in use, and of the impressions on it. */
  further: Count,
  onFurther: Count,
});

/** The feed outbox: impressions on their way to the feeds of their demand sources. */
export const FeedOutbox = Type.Object({
  /** The stretch of log time that is being counted. */
  stretchMs: Count,
  /** The counts by feed. */
  counted: Type.Record(Type.String(), FeedCounts),
  /** The rows by page that the page may not have received yet. */
  untold: Type.Record(Type.String(), PendingRows),
});

export type FeedOutbox = Static<typeof FeedOutbox>;

export function emptyFeedOutbox(): FeedOutbox {
  return { stretchMs: 0, counted: {}, untold: {} };
}

/** Adds one impression to its page of the feed, in place. */
export function addToFeedOutbox(outbox: FeedOutbox, impression: Impression, { id, nowMs, position }: Context): void {
  if (impression.unfed === true) return;
  const startMs = pageStartOf(nowMs);
  if (startMs !== outbox.stretchMs) {
    outbox.stretchMs = startMs;
    outbox.counted = {};
  }
  const feed = feedId(impression.dsp, impression.sandbox ?? false, impression.dspGeneration);
  addPendingRow(outbox.untold, nextPage(outbox, feed, partitionOfRollup(id)), startMs, {
    position,
    trackingId: impression.id,
    auctionId: impression.auction,
    publisherId: impression.publisher,
    campaignId: impression.campaign ?? null,
    crid: impression.crid ?? null,
    priceCpmMicros: impression.priceCpmMicros,
    region: impression.region,
    soldAtMs: impression.soldAtMs ?? null,
    feePpm: impression.feePpm,
    revalidates: impression.revalidates ?? null,
  });
}

/**
 * The page for the next impression of a feed. A further page is closed once it was published, so that each page
 * receives a partition once and is written while its partitions take turns: a page that stayed open for seconds would
 * be rewritten whole in each.
 */
function nextPage({ stretchMs, counted, untold }: FeedOutbox, feed: string, partition: number): string {
  counted[feed] ??= { impressions: 0, further: 0, onFurther: 0 };
  const of = counted[feed];
  of.impressions += 1;
  if (of.impressions <= FIRST_PAGE_IMPRESSIONS) return firstPageId(feed, stretchMs);
  let page = overflowPageId(feed, stretchMs, partition, of.further);
  if (of.onFurther === OVERFLOW_PAGE_IMPRESSIONS || (of.onFurther > 0 && untold[page] === undefined)) {
    of.further += 1;
    of.onFurther = 0;
    page = overflowPageId(feed, stretchMs, partition, of.further);
  }
  of.onFurther += 1;
  return page;
}

/** The fields of the first row of rows in memory, so that the text is not parsed for each added row. */
const firstRowFieldsOf = new WeakMap<PendingRows, readonly string[]>();

function addPendingRow(pendingRows: FeedOutbox['untold'], page: string, startMs: number, shown: FeedImpression): void {
  const rows = pendingRows[page];
  if (rows === undefined) {
    const { position } = shown;
    pendingRows[page] = { from: position, through: position, rows: packRow(shown, startMs, null) };
    return;
  }
  let first = firstRowFieldsOf.get(rows);
  if (first === undefined) {
    first = firstFields(rows.rows);
    firstRowFieldsOf.set(rows, first);
  }
  rows.rows += `;${packRow(shown, startMs, first)}`;
  rows.through = shown.position;
}

/** The messages to pages that were not published up to `published`. */
export function feedOutboxSends(outbox: FeedOutbox, published: string | null, partition: number): Send[] {
  const sends: Send[] = [];
  for (const [page, rows] of Object.entries(outbox.untold)) {
    if (published !== null && comparePositions(rows.through, published) <= 0) continue;
    sends.push({ to: `${feedPage.kind}/${page}`, type: 'shown', body: { partition, ...rows } });
  }
  return sends;
}

/** Removes, in place, the rows up to `published`, which the pages have received. */
export function acknowledgeFeedOutbox(outbox: FeedOutbox, published: string): void {
  for (const [page, { through }] of Object.entries(outbox.untold)) {
    if (comparePositions(through, published) <= 0) delete outbox.untold[page];
  }
}
