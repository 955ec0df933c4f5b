import { decodeEventRow, type FeedEvent } from '#actors/feed-page/feed-event';
import { feedPage } from '#actors/feed-page/feed-page';
import { lowestPageId, PAGE_SPAN_MS, pageStartOf, parsePageId } from '#actors/feed-page/feed-page-id';
import { packedEvents } from '#actors/feed-page/packed-rows';
import type { FeedPageState } from '#actors/feed-page/reduce';
import type { StateStore } from '#runtime/ports/store';
import { type FeedPosition, feedPositionAt } from './cursor.ts';

/** An event of a feed. It is decoded only when it is returned, since most events of a stretch are not. */
export interface PositionedEvent {
  readonly position: FeedPosition;
  readonly type: 'impression' | 'win';
  read(): FeedEvent;
}

/** The part of the store that the reader of a feed needs. */
export type FeedStore = Pick<StateStore, 'idsBetween' | 'load'>;

/** The number of page names in the first lookup; it doubles with each lookup, up to `MOST_NAMES`. */
const FIRST_NAMES = 32;
const MOST_NAMES = 512;
/**
 * The number of pages at which the collected stretches are first loaded together, since a quiet source has one page in
 * a stretch; it doubles with each load, up to `MOST_PAGES`.
 */
const FIRST_PAGES = 8;
const MOST_PAGES = 64;

/**
 * Reads the events of a feed from the stretch of `fromMs` on, stretch by stretch, each in the order of the feed. Pages
 * are found by their names, so that time without events costs nothing, and only some stretches are in memory at once.
 */
export async function* readFeedPages(
  store: FeedStore,
  feed: string,
  fromMs: number,
  toMs: number,
): AsyncGenerator<readonly PositionedEvent[]> {
  let stretches: string[][] = [];
  let pages = 0;
  let pagesAtOnce = FIRST_PAGES;
  for await (const stretch of pageIdsBySpan(store, feed, fromMs, toMs)) {
    stretches.push(stretch);
    pages += stretch.length;
    if (pages < pagesAtOnce) continue;
    yield* loadPages(store, stretches);
    pagesAtOnce = Math.min(2 * pagesAtOnce, MOST_PAGES);
    stretches = [];
    pages = 0;
  }
  if (pages > 0) yield* loadPages(store, stretches);
}

async function* pageIdsBySpan(store: FeedStore, feed: string, fromMs: number, toMs: number): AsyncGenerator<string[]> {
  if (fromMs >= toMs) return;
  const below = lowestPageId(feed, pageStartOf(toMs - 1) + PAGE_SPAN_MS);
  let after = lowestPageId(feed, pageStartOf(fromMs));
  let stretch: string[] = [];
  for (let limit = FIRST_NAMES; ; limit = Math.min(2 * limit, MOST_NAMES)) {
    const found = await store.idsBetween(feedPage.kind, { after, below, limit });
    for (const id of found) {
      if (stretch.length > 0 && parsePageId(id).startMs !== parsePageId(stretch[0]!).startMs) {
        yield stretch;
        stretch = [];
      }
      stretch.push(id);
      after = id;
    }
    if (found.length < limit) break;
  }
  if (stretch.length > 0) yield stretch;
}

async function* loadPages(
  store: FeedStore,
  stretches: readonly string[][],
): AsyncGenerator<readonly PositionedEvent[]> {
  const keys = stretches.flat().map((id) => ({ kind: feedPage.kind, id }));
  const documents = (await store.load(keys)).values();
  for (const stretch of stretches) {
    const pages = stretch.map(() => documents.next().value);
    // A page that has aged out since its name was found has no state.
    yield positionedEvents(pages.flatMap((page) => (page && !page.deleted ? [page.state as FeedPageState] : [])));
  }
}

function positionedEvents(pages: readonly FeedPageState[]): PositionedEvent[] {
  const events: PositionedEvent[] = [];
  for (const { key, startMs, rows, shown } of pages) {
    const { holds } = parsePageId(key);
    for (const row of rows)
      events.push({ position: positionOfRow(row, holds), type: holds, read: () => decodeEventRow(row) });
    for (const { atMs, trackingId, read } of shown.flatMap((packed) => packedEvents(packed, startMs))) {
      const position = `${feedPositionAt(atMs)}${holds}_${trackingId}`;
      events.push({ position, type: holds, read: () => ({ atMs, impId: null, ...read() }) });
    }
  }
  return events.sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** The position of a row, read from its beginning: `[<13 digits>,"<tracking id>"`. */
function positionOfRow(row: string, holds: 'impression' | 'win'): FeedPosition {
  return `${row.slice(1, 14)} ${holds}_${row.slice(16, row.indexOf('"', 16))}`;
}
