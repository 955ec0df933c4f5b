import Type from 'typebox';
import { Timestamp, Uuid } from '#actors/api-schemas';
import { feedId } from '#actors/feed-page/feed-page-id';
import { readAtWatermark } from '#actors/watermark/read-watermark';
import type { ManagementDeps } from '../../deps.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { creativeFeedOf, encodeCursor, feedPositionAt, readCursor } from './cursor.ts';
import { readChangedCreatives } from './read-creatives.ts';
import { readEvents } from './read-events.ts';
import { ShownEvent, showChangedCreative, showEvent } from './shown-event.ts';

/** The age in ms at which a feed begins that is read without a cursor. */
const KEPT_MS = 7 * 86_400_000;
/** The time in ms that a reader has to continue from the oldest event; events are stored at least that much longer. */
const CURSOR_GRACE_MS = 3_600_000;

const DEFAULT_LIMIT = 100;
const MOST_EVENTS = 5_000;

const description = `Each win and each billed impression of the demand source, once, in the order of the exchange's log. Begin without a cursor, seven days back, and go on with \`next_cursor\`, at once while \`has_more\`, else after a few seconds. What a cursor has passed never changes, and nothing comes in behind it: there are no gaps and no repetitions. An event appears when the exchange's books are complete up to it, within seconds; when they are held up, so is the feed.

The impressions are those that the invoice bills: \`price_cpm_micros\` of one, read as nano-dollars, is what it costs, and the sum over a UTC day by \`billed_at\` is that day's spend to the nano-dollar. Wins of an edge's last second are missing where the edge was killed; no money depends on them.

A demand source in the sandbox has the feed of its sandbox. Events are kept for seven days, and none are kept while \`event_feed\` of the demand source is false, unless the exchange writes log-level data, which have them all.

\`type=creative\` is a feed of its own, with cursors of its own: the states of the demand source's creatives, each at its last change (scan, hosting, stability, what was decided about the creative itself). Without a cursor it begins with all creatives there are. One that changes again comes again, in its new state: whoever reads to the end has the state of each. Its cursors do not grow old.`;

export const readDspFeed = defineRoute({
  method: 'GET',
  path: '/api/dsp/:id/feed',
  tag: 'Demand',
  operationId: 'getDspFeed',
  summary: "Read a demand source's wins and impressions, one by one",
  description,
  access: 'account',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: '`next_cursor` of the last answer; good for seven days.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_EVENTS, default: DEFAULT_LIMIT })),
    type: Type.Optional(
      Type.Enum(['win', 'impression', 'creative'], {
        description:
          '`win` or `impression`: these alone; without it, both. `creative`: the states of its creatives, with cursors of their own.',
      }),
    ),
  }),
  answer: {
    status: 200,
    schema: Type.Object({
      events: Type.Array(ShownEvent),
      has_more: Type.Boolean({
        description:
          'Whether to go on at once: there are more already, or, with `type`, many of the other type were passed by and there may be.',
      }),
      next_cursor: Type.String({ description: 'Where to go on, also when there are no events.' }),
      complete_through: { ...Timestamp, description: 'Up to here, by the log’s clock, the feed is complete.' },
    }),
  },
  async handle({ params: { id }, query: { cursor, limit = DEFAULT_LIMIT, type = null }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadDemandSource(parts, id, caller);
    const feed = feedId(id, sandbox, sandboxGeneration);
    if (type === 'creative')
      return readCreativeFeed(parts, { dspId: id, sandbox }, creativeFeedOf(feed), cursor, limit);
    const oldestMs = parts.clock.now() - KEPT_MS;
    const after =
      cursor === undefined ? feedPositionAt(oldestMs) : readCursor(cursor, feed, oldestMs - CURSOR_GRACE_MS);
    const { throughMs, store } = await readAtWatermark(parts.store);
    const { events, hasMore, next } = await readEvents(store, feed, { after, throughMs, limit, type });
    return {
      events: events.map((event) => showEvent(event, sandbox)),
      has_more: hasMore,
      next_cursor: encodeCursor(feed, next),
      complete_through: new Date(throughMs).toISOString(),
    };
  },
});

async function readCreativeFeed(
  parts: Pick<ManagementDeps, 'store'>,
  of: { readonly dspId: string; readonly sandbox: boolean },
  feed: string,
  cursor: string | undefined,
  limit: number,
) {
  const after = cursor === undefined ? feedPositionAt(0) : readCursor(cursor, feed, 0);
  const { throughMs, store } = await readAtWatermark(parts.store);
  const { changed, hasMore, next } = await readChangedCreatives(store, of, { after, throughMs, limit });
  return {
    events: changed.map((one) => showChangedCreative(one, of.sandbox)),
    has_more: hasMore,
    next_cursor: encodeCursor(feed, next),
    complete_through: new Date(throughMs).toISOString(),
  };
}
