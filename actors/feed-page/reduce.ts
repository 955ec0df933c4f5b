import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { withRowTime } from './feed-event.ts';
import { parsePageId } from './feed-page-id.ts';
import { feedPageMessages } from './messages.ts';
import { rowsAfter } from './packed-rows.ts';

export const FeedPageState = Type.Object({
  /** The page's own id: by it older releases find the pages of a feed. */
  key: Type.String(),
  /** When its stretch begins, ms since the epoch. */
  startMs: Type.Integer({ minimum: 0 }),
  /** Wins, and impressions of older releases. See event.ts; in the order in which they came. */
  rows: Type.Array(Type.String()),
  /** Impressions, as partitions told of them. See packed-rows.ts; in the order in which they came. */
  shown: Type.Array(Type.String()),
  /** By partition: the position of the last impression that is on this page. */
  through: Type.Record(Type.String(), Type.String()),
});

export type FeedPageState = Static<typeof FeedPageState>;

export function emptyPage(id: string): FeedPageState {
  // A win lane is no page; the actor that is meant has been chosen by log time before anything is asked of it.
  return { key: id, startMs: parsePageId(id).startMs, rows: [], shown: [], through: {} };
}

/**
 * Changes `state` in place: a page is a lazy kind.
 *
 * A partition tells its impressions in order and all that it does not know to have arrived, so what a page has is always the
 * beginning of what was told: one position says which of a message are new, and repetitions and late echoes bring nothing.
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
