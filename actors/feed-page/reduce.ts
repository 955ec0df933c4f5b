import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { withRowTime } from './feed-event.ts';
import { parsePageId } from './feed-page-id.ts';
import { feedPageMessages } from './messages.ts';
import { rowsAfter } from './packed-rows.ts';

export const FeedPageState = Type.Object({
  /** The page's own id, by which older releases find the pages of a feed. */
  key: Type.String(),
  /** The beginning of its stretch, ms since the epoch. */
  startMs: Type.Integer({ minimum: 0 }),
  /** Wins, and impressions of older releases, in the order in which they came. See feed-event.ts. */
  rows: Type.Array(Type.String()),
  /** Impressions as the partitions sent them, in the order in which they came. See packed-rows.ts. */
  shown: Type.Array(Type.String()),
  /** The position of the last impression on this page, by partition. */
  through: Type.Record(Type.String(), Type.String()),
});

export type FeedPageState = Static<typeof FeedPageState>;

export function emptyPage(id: string): FeedPageState {
  // The address of wins is no page: the page has been chosen by log time before this is called.
  return { key: id, startMs: parsePageId(id).startMs, rows: [], shown: [], through: {} };
}

/**
 * The handlers change `state` in place: a page is a lazy kind.
 *
 * A partition sends its impressions in order, with all that are not acknowledged yet, so a page always holds a
 * beginning of what was sent. One position therefore tells which rows of a message are new, and repetitions and late
 * echoes add nothing.
 */
export const feedPageHandlers = handlersOf(FeedPageState, feedPageMessages, {
  wins(state, { rows }, { nowMs }) {
    for (const row of rows) state.rows.push(withRowTime(row, nowMs));
  },
  shown(state, { partition, from, through, rows }) {
    const known = state.through[partition];
    if (known !== undefined && comparePositions(through, known) <= 0) return;
    const allNew = known === undefined || comparePositions(from, known) > 0;
    state.shown.push(allNew ? rows : rowsAfter(rows, state.startMs, known));
    state.through[partition] = through;
  },
  impressions(state, { partition, events }) {
    for (const { position, row } of events) {
      const known = state.through[partition];
      if (known !== undefined && comparePositions(position, known) <= 0) continue;
      state.rows.push(row);
      state.through[partition] = position;
    }
  },
});
