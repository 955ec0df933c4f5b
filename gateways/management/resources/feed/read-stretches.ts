import { type FeedEvent, readRow } from '../../../../actors/feed-page/event.ts';
import { feedPage } from '../../../../actors/feed-page/feed-page.ts';
import { pagesFrom, readPageId, STRETCH_MS, stretchOf } from '../../../../actors/feed-page/feed-page-id.ts';
import { packedEvents } from '../../../../actors/feed-page/packed-rows.ts';
import type { FeedPageState } from '../../../../actors/feed-page/reduce.ts';
import type { StateStore } from '../../../../runtime/ports/store.ts';
import { type Place, placeAt } from './cursor.ts';

/** An event of a feed. Most of a stretch are not wanted this time, so each is read only when it is. */
export interface PlacedEvent {
  readonly place: Place;
  readonly holds: 'impression' | 'win';
  read(): FeedEvent;
}

const FIRST_SPAN_MS = 60_000;
const MOST_SPAN_MS = 7 * 86_400_000;
const FIRST_PAGES = 32;
const MOST_PAGES = 512;

/**
 * The events of a feed from the stretch of `fromMs` on, stretch by stretch, each in the order of the feed. Where nothing
 * happened, ever longer spans are looked through at once; a query never counts or holds more than a span and so many pages.
 * One stretch is in memory at a time.
 */
export async function* readStretches(
  store: Pick<StateStore, 'query'>,
  feed: string,
  fromMs: number,
  toMs: number,
): AsyncGenerator<readonly PlacedEvent[]> {
  let spanMs = FIRST_SPAN_MS;
  let pages = FIRST_PAGES;
  for (let startMs = stretchOf(fromMs); startMs < toMs; ) {
    const endMs = Math.min(startMs + spanMs, stretchOf(toMs - 1) + STRETCH_MS);
    const key = { gte: pagesFrom(feed, startMs), lt: pagesFrom(feed, endMs) };
    const { documents, total } = await store.query(feedPage.kind, { where: { key }, orderBy: 'key', limit: pages });
    const found = documents.map(({ state }) => state as FeedPageState);
    const last = found.at(-1)?.startMs ?? endMs;
    if (found.length === total) {
      for (const stretch of byStretch(found)) yield placed(stretch);
      startMs = endMs;
    } else if (last > found[0]!.startMs) {
      // The last stretch may go on.
      for (const stretch of byStretch(found.filter((page) => page.startMs < last))) yield placed(stretch);
      startMs = last;
    } else {
      const whole = { gte: pagesFrom(feed, last), lt: pagesFrom(feed, last + STRETCH_MS) };
      const all = await store.query(feedPage.kind, { where: { key: whole }, orderBy: 'key' });
      yield placed(all.documents.map(({ state }) => state as FeedPageState));
      startMs = last + STRETCH_MS;
    }
    if (total === 0) spanMs = Math.min(4 * spanMs, MOST_SPAN_MS);
    pages = Math.min(2 * pages, MOST_PAGES);
  }
}

function byStretch(pages: readonly FeedPageState[]): Iterable<FeedPageState[]> {
  const stretches = new Map<number, FeedPageState[]>();
  for (const page of pages) {
    const stretch = stretches.get(page.startMs);
    if (stretch) stretch.push(page);
    else stretches.set(page.startMs, [page]);
  }
  return stretches.values();
}

function placed(pages: readonly FeedPageState[]): PlacedEvent[] {
  const events: PlacedEvent[] = [];
  for (const { key, startMs, rows, shown } of pages) {
    const { holds } = readPageId(key);
    for (const row of rows) events.push({ place: placeOf(row, holds), holds, read: () => readRow(row) });
    for (const { atMs, trackingId, read } of shown.flatMap((packed) => packedEvents(packed, startMs))) {
      const place = `${placeAt(atMs)}${holds}_${trackingId}`;
      events.push({ place, holds, read: () => ({ atMs, impId: null, ...read() }) });
    }
  }
  return events.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/** A row begins `[<13 digits>,"<tracking id>"`: its place is read off it. */
function placeOf(row: string, holds: 'impression' | 'win'): Place {
  return `${row.slice(1, 14)} ${holds}_${row.slice(16, row.indexOf('"', 16))}`;
}
