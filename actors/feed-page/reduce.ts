import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { MessageOf } from '../../runtime/actor/define-actor.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { stampedRow } from './event.ts';
import { readPageId } from './feed-page-id.ts';
import type { feedPageMessages } from './messages.ts';

export const FeedPageState = Type.Object({
  /** The page's own id: by it the pages of a feed are found, in their order. */
  key: Type.String(),
  /** When its stretch begins, ms since the epoch: by it pages age. */
  startMs: Type.Integer({ minimum: 0 }),
  /** See event.ts; in the order in which they came. */
  rows: Type.Array(Type.String()),
  /** By partition: the position of the last impression that is on this page. */
  through: Type.Record(Type.String(), Type.String()),
});

export type FeedPageState = Static<typeof FeedPageState>;

export function emptyPage(id: string): FeedPageState {
  // A win lane is no page; the actor that is meant has been chosen by log time before anything is asked of it.
  return { key: id, startMs: readPageId(id).startMs, rows: [], through: {} };
}

/**
 * Changes `state` in place: a page is a lazy kind.
 *
 * A partition tells its impressions in order and all that it does not know to have arrived, so what a page has is always the
 * beginning of what was told: one position says which of a message are new, and repetitions and late echoes bring nothing.
 */
export function reduceFeedPage(
  state: FeedPageState,
  { type, body }: MessageOf<typeof feedPageMessages>,
  { nowMs }: Pick<Context, 'nowMs'>,
): void {
  if (type === 'wins') {
    for (const row of body.rows) state.rows.push(stampedRow(row, nowMs));
    return;
  }
  const { partition, events } = body;
  for (const { position, row } of events) {
    const through = state.through[partition];
    if (through !== undefined && comparePositions(position, through) <= 0) continue;
    state.rows.push(row);
    state.through[partition] = position;
  }
}
