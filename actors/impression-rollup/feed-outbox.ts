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

/** A feed in the stretch that is being counted, and the pages that its impressions go on. */
interface OpenFeed {
  readonly feed: string;
  readonly counts: Static<typeof FeedCounts>;
  readonly firstPage: string;
  furtherPage: string;
}

/** The open feeds of one stretch, by demand source. A sandbox's are not kept: each of its generations has another. */
interface OpenFeeds {
  readonly stretchMs: number;
  readonly live: Map<string, OpenFeed>;
}

/** Feeds in memory, so that the names of their pages are not written for each impression; built anew after a load. */
const openFeeds = new WeakMap<FeedOutbox, OpenFeeds>();

/** Adds one impression to its page of the feed, in place. */
export function addToFeedOutbox(outbox: FeedOutbox, impression: Impression, { id, nowMs, position }: Context): void {
  if (impression.unfed === true) return;
  const startMs = pageStartOf(nowMs);
  if (startMs !== outbox.stretchMs) {
    outbox.stretchMs = startMs;
    outbox.counted = {};
  }
  const partition = partitionOfRollup(id);
  addPendingRow(outbox.untold, nextPage(outbox, openFeedOf(outbox, impression, partition), partition), startMs, {
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

function openFeedOf(outbox: FeedOutbox, { dsp, sandbox, dspGeneration }: Impression, partition: number): OpenFeed {
  const { stretchMs, counted } = outbox;
  let feeds = openFeeds.get(outbox);
  if (feeds?.stretchMs !== stretchMs) {
    feeds = { stretchMs, live: new Map() };
    openFeeds.set(outbox, feeds);
  }
  const known = sandbox ? undefined : feeds.live.get(dsp);
  if (known !== undefined) return known;
  const feed = feedId(dsp, sandbox ?? false, dspGeneration);
  counted[feed] ??= { impressions: 0, further: 0, onFurther: 0 };
  const counts = counted[feed];
  const furtherPage = overflowPageId(feed, stretchMs, partition, counts.further);
  const open = { feed, counts, firstPage: firstPageId(feed, stretchMs), furtherPage };
  if (!sandbox) feeds.live.set(dsp, open);
  return open;
}

/**
 * The page for the next impression of a feed. A further page is closed once it was published, so that each page
 * receives a partition once and is written while its partitions take turns: a page that stayed open for seconds would
 * be rewritten whole in each.
 */
function nextPage({ stretchMs, untold }: FeedOutbox, open: OpenFeed, partition: number): string {
  const { counts } = open;
  counts.impressions += 1;
  if (counts.impressions <= FIRST_PAGE_IMPRESSIONS) return open.firstPage;
  const isClosed = counts.onFurther > 0 && untold[open.furtherPage] === undefined;
  if (isClosed || counts.onFurther === OVERFLOW_PAGE_IMPRESSIONS) {
    counts.further += 1;
    counts.onFurther = 0;
    open.furtherPage = overflowPageId(open.feed, stretchMs, partition, counts.further);
  }
  counts.onFurther += 1;
  return open.furtherPage;
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
