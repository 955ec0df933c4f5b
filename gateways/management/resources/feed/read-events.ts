import { type Place, placeAt, timeOf } from './cursor.ts';
import { type FeedStore, type PlacedEvent, readStretches } from './read-stretches.ts';

export interface Wanted {
  /** Everything at or below it has been read. */
  readonly after: Place;
  /** Before this instant the feed is complete, and stays as it is: nothing later is told yet. */
  readonly throughMs: number;
  readonly limit: number;
  /** Null: all. */
  readonly type: PlacedEvent['holds'] | null;
}

/** Events that one answer passes by, those of another type among them; a stretch that was begun is read to its end. */
const MOST_PASSED = 50_000;

export interface EventsRead {
  readonly events: readonly PlacedEvent[];
  /** Whether there may be more already. */
  readonly hasMore: boolean;
  /** Where to go on; never behind `after`. */
  readonly next: Place;
}

/**
 * The next events of a feed, at most `limit`, and fewer where many of another type lie between. What it has passed by can change
 * no more, so nobody misses anything.
 */
export async function readEvents(
  store: FeedStore,
  feed: string,
  { after, throughMs, limit, type }: Wanted,
  mostPassed = MOST_PASSED,
): Promise<EventsRead> {
  const end = placeAt(throughMs);
  const events: PlacedEvent[] = [];
  let passed = 0;
  let last = after;
  for await (const stretch of readStretches(store, feed, timeOf(after), throughMs)) {
    for (const event of stretch) {
      if (event.place <= after || event.place >= end) continue;
      if (type === null || event.holds === type) {
        if (events.length === limit) return { events, hasMore: true, next: events.at(-1)!.place };
        events.push(event);
      }
      passed += 1;
      last = event.place;
    }
    if (passed >= mostPassed) return { events, hasMore: true, next: last };
  }
  return { events, hasMore: false, next: end > after ? end : after };
}
