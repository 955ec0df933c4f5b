import { defineActor } from '../../runtime/actor/define-actor.ts';
import { PAGE_SPAN_MS, pageIdAt } from './feed-page-id.ts';
import { feedPageMessages } from './messages.ts';
import { emptyPage, FeedPageState, feedPageHandlers } from './reduce.ts';

/**
 * A feed page: the wins and impressions of one demand source in ten seconds of the log's time, event by event.
 * Impressions come from the impression rollups, wins from the edges. Id: see feed-page-id.ts. Read when it can change
 * no more, never asked.
 */
export const feedPage = defineActor({
  kind: 'feed-page',
  schemaVersion: 2,
  saving: 'lazy',
  state: FeedPageState,
  messages: feedPageMessages,
  initial: emptyPage,
  handlers: feedPageHandlers,
  // Pages are found by name alone: indexes of so many pages would cost more than the queries for them.
  idAt: pageIdAt,
  // A page receives nothing once its stretch is over and the outboxes of impression rollups have caught up.
  idleMs: PAGE_SPAN_MS,
});
