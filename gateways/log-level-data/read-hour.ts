import { decodeWinRow, type FeedEvent, type WinDetails } from '#actors/feed-page/feed-event';
import { feedPage } from '#actors/feed-page/feed-page';
import { feedId, feedIdOfPage, lowestPageId, parsePageId, viewFeedId } from '#actors/feed-page/feed-page-id';
import { type FeedImpression, packedEvents } from '#actors/feed-page/packed-rows';
import type { FeedPageState } from '#actors/feed-page/reduce';
import { decodeViewRow } from '#actors/feed-page/view-row';
import { readIds } from '#runtime/ports/read-pages';
import type { StateReads } from '#runtime/ports/store';
import type { Hour } from './hour.ts';

/** The part of the store that single events are read from. */
export type EventStore = Pick<StateReads, 'idsBetween' | 'load'>;

export type HourEvent =
  | { readonly type: 'impression'; readonly atMs: number; readonly shown: FeedImpression }
  | { readonly type: 'win'; readonly won: FeedEvent; readonly details: WinDetails };

export type SeenView = ReturnType<typeof decodeViewRow>;

/** The names of pages that are looked up at once. */
const NAMES = 512;
/** The pages in memory at once: 150 KB each as a rule, 16 MB at most. */
const PAGES = 4;

/**
 * The live feeds that have pages, by their demand sources. A sandbox has feeds of its own, which are passed over.
 * Feeds are found by the first page of each, so it takes one lookup for each.
 */
export async function* liveFeeds(store: Pick<EventStore, 'idsBetween'>): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const [first] = await store.idsBetween(feedPage.kind, { after, limit: 1 });
    if (first === undefined) return;
    const feed = feedIdOfPage(first);
    const dspId = decodeURIComponent(feed.slice(0, feed.indexOf(':')));
    if (feed === feedId(dspId, false)) yield dspId;
    // `;` is the character after `:`.
    after = `${feed};`;
  }
}

/**
 * The events of a demand source in an hour, page by page: by the time of the page, then in the order in which they came
 * to it, which is always the same once the watermark has passed the hour. Each event is decoded when it is taken.
 */
export async function* readHour(store: EventStore, dspId: string, hour: Hour): AsyncGenerator<Iterable<HourEvent>> {
  for await (const page of readPages(store, feedId(dspId, false), hour)) yield eventsOf(page);
}

/** What was seen of a demand source's impressions, as it came to the log in an hour; page by page. */
export async function* readViews(store: EventStore, dspId: string, hour: Hour): AsyncGenerator<Iterable<SeenView>> {
  for await (const { rows } of readPages(store, viewFeedId(dspId), hour)) yield rows.map(decodeViewRow);
}

async function* readPages(store: EventStore, feed: string, hour: Hour): AsyncGenerator<FeedPageState> {
  const range = { after: lowestPageId(feed, hour.startMs), below: lowestPageId(feed, hour.endMs), limit: NAMES };
  for await (const ids of readIds(store, feedPage.kind, range)) {
    for (let start = 0; start < ids.length; start += PAGES) {
      const keys = ids.slice(start, start + PAGES).map((id) => ({ kind: feedPage.kind, id }));
      for (const page of await store.load(keys)) {
        if (page !== null && !page.deleted) yield page.state as FeedPageState;
      }
    }
  }
}

function* eventsOf({ key, startMs, rows, shown }: FeedPageState): Iterable<HourEvent> {
  // Impressions that a release before 0.4 has stored as wins are stored are older than any hour that is written.
  if (parsePageId(key).holds === 'win') for (const row of rows) yield { type: 'win', ...decodeWinRow(row) };
  for (const packed of shown) {
    for (const { atMs, read } of packedEvents(packed, startMs)) yield { type: 'impression', atMs, shown: read() };
  }
}
