import Type from 'typebox';
import { Timestamp, Uuid } from '#actors/api-schemas';
import { feedId } from '#actors/feed-page/feed-page-id';
import { readAtWatermark } from '#actors/watermark/read-watermark';
import { defineRoute } from '../../routing/route.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';
import { encodeCursor, feedPositionAt, readCursor } from './cursor.ts';
import { readEvents } from './read-events.ts';
import { ShownEvent, showEvent } from './shown-event.ts';

/** The age in ms at which a feed begins that is read without a cursor. */
const KEPT_MS = 7 * 86_400_000;
/** The time in ms that a reader has to continue from the oldest event; events are stored at least that much longer. */
const CURSOR_GRACE_MS = 3_600_000;

const DEFAULT_LIMIT = 100;
const MOST_EVENTS = 5_000;

const description = `Each win and each billed impression of the demand source, once, in the order of the exchange's log. Begin without a cursor, seven days back, and go on with \`next_cursor\`, at once while \`has_more\`, else after a few seconds. What a cursor has passed never changes, and nothing comes in behind it: there are no gaps and no repetitions. An event appears when the exchange's books are complete up to it, within seconds; when they are held up, so is the feed.

The impressions are those that the invoice bills: \`price_cpm_micros\` of one, read as nano-dollars, is what it costs, and the sum over a UTC day by \`billed_at\` is that day's spend to the nano-dollar. Wins of an edge's last second are missing where the edge was killed; no money depends on them.

A demand source in the sandbox has the feed of its sandbox. Events are kept for seven days, and none are kept while \`event_feed\` of the demand source is false.`;

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
    type: Type.Optional(Type.Enum(['win', 'impression'], { description: 'These alone; without it, both.' })),
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
