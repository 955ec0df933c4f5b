import { type FeedPosition, feedPositionAt, timeOfPosition } from './cursor.ts';
import { type FeedStore, type PositionedEvent, readFeedPages } from './read-feed-pages.ts';

export interface FeedQuery {
  /** Everything at or below it has been read. */
  readonly after: FeedPosition;
  /** Before this instant the feed is complete, and stays as it is: nothing later is told yet. */
  readonly throughMs: number;
  readonly limit: number;
  /** Null: all. */
  readonly type: PositionedEvent['type'] | null;
}

/** Events that one answer passes by, those of another type among them; a stretch that was begun is read to its end. */
const MOST_PASSED = 50_000;

export interface FeedEvents {
  readonly events: readonly PositionedEvent[];
  /** Whether there may be more already. */
  readonly hasMore: boolean;
  /** Where to go on; never behind `after`. */
  readonly next: FeedPosition;
}

/**
 * The next events of a feed, at most `limit`, and fewer where many of another type lie between. What it has passed by can change
 * no more, so nobody misses anything.
 */
export async function readEvents(
  store: FeedStore,
  feed: string,
  { after, throughMs, limit, type }: FeedQuery,
  mostPassed = MOST_PASSED,
): Promise<FeedEvents> {
  const end = feedPositionAt(throughMs);
  const events: PositionedEvent[] = [];
  let passed = 0;
  let last = after;
  for await (const stretch of readFeedPages(store, feed, timeOfPosition(after), throughMs)) {
    for (const event of stretch) {
      if (event.position <= after || event.position >= end) continue;
      if (type === null || event.type === type) {
        if (events.length === limit) return { events, hasMore: true, next: events.at(-1)!.position };
        events.push(event);
      }
      passed += 1;
      last = event.position;
    }
    if (passed >= mostPassed) return { events, hasMore: true, next: last };
  }
  return { events, hasMore: false, next: end > after ? end : after };
}
