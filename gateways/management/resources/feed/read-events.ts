import { type FeedPosition, feedPositionAt, timeOfPosition } from './cursor.ts';
import { type FeedStore, type PositionedEvent, readFeedPages } from './read-feed-pages.ts';

export interface FeedQuery {
  /** Every event at or below this position has been read. */
  readonly after: FeedPosition;
  /** The feed is complete and final before this instant; later events are not returned yet. */
  readonly throughMs: number;
  readonly limit: number;
  /** Null: all types. */
  readonly type: PositionedEvent['type'] | null;
}

/**
 * The number of events, also of other types, after which one answer ends; a stretch that was begun is read to its end.
 */
const MOST_PASSED = 50_000;

export interface FeedEvents {
  readonly events: readonly PositionedEvent[];
  /** Whether there may be more events already. */
  readonly hasMore: boolean;
  /** The position to continue at; never before `after`. */
  readonly next: FeedPosition;
}

/**
 * Reads the next events of a feed, at most `limit`, and fewer when many events of another type lie between them. Events
 * that the reader has passed do not change any more, so the reader misses none.
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
