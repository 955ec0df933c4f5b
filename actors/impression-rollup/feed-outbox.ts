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

/** How far the pages of one feed have got in a stretch. */
const FeedCounts = Type.Object({
  /** So far. */
  impressions: Count,
  /** The number of the further page that is written to, and the impressions on it. */
  further: Count,
  onFurther: Count,
});

/** Impressions on their way to the feeds of their demand sources. */
export const FeedOutbox = Type.Object({
  /** The stretch of log time that is counted. */
  stretchMs: Count,
  /** By feed. */
  counted: Type.Record(Type.String(), FeedCounts),
  /** By page: what it may not have been told of. */
  untold: Type.Record(Type.String(), PendingRows),
});

export type FeedOutbox = Static<typeof FeedOutbox>;

export function emptyFeedOutbox(): FeedOutbox {
  return { stretchMs: 0, counted: {}, untold: {} };
}

/** Puts one impression onto its page of the feed, in place. */
export function addToFeedOutbox(fed: FeedOutbox, impression: Impression, { id, nowMs, position }: Context): void {
  if (impression.unfed === true) return;
  const startMs = pageStartOf(nowMs);
  if (startMs !== fed.stretchMs) {
    fed.stretchMs = startMs;
    fed.counted = {};
  }
  const feed = feedId(impression.dsp, impression.sandbox ?? false, impression.dspGeneration);
  addPendingRow(fed.untold, nextPage(fed, feed, partitionOfRollup(id)), startMs, {
    position,
    trackingId: impression.id,
    auctionId: impression.auction,
    publisherId: impression.publisher,
    campaignId: impression.campaign ?? null,
    crid: impression.crid ?? null,
    priceCpmMicros: impression.priceCpmMicros,
    region: impression.region,
    soldAtMs: impression.soldAtMs ?? null,
  });
}

/**
 * The page that the next impression of a feed goes on. Once a further page has been told it is done with, so that each hears of
 * a partition once, and is written while its partitions take their turns: a page that went on for seconds would be written
 * whole in each.
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

/** Of what is added to while it is in memory, so that its text is not looked through for each row. */
const firstRowFieldsOf = new WeakMap<PendingRows, readonly string[]>();

function addPendingRow(untold: FeedOutbox['untold'], page: string, startMs: number, shown: FeedImpression): void {
  const rows = untold[page];
  if (rows === undefined) {
    const { position } = shown;
    untold[page] = { from: position, through: position, rows: packRow(shown, startMs, null) };
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

/** What pages must hear after `published`. */
export function feedOutboxSends(fed: FeedOutbox, published: string | null, partition: number): Send[] {
  const sends: Send[] = [];
  for (const [page, rows] of Object.entries(fed.untold)) {
    if (published !== null && comparePositions(rows.through, published) <= 0) continue;
    sends.push({ to: `${feedPage.kind}/${page}`, type: 'shown', body: { partition, ...rows } });
  }
  return sends;
}

/** Everything up to `published` has been told: that is forgotten here, in place. */
export function acknowledgeFeedOutbox(fed: FeedOutbox, published: string): void {
  for (const [page, { through }] of Object.entries(fed.untold)) {
    if (comparePositions(through, published) <= 0) delete fed.untold[page];
  }
}
