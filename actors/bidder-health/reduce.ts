import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { bidderHealthMessages, EdgeHealthReport } from './messages.ts';

/** A report of an edge that has been silent for this many ms says nothing of the last five minutes. */
export const forgetEdgeAfterMs = 5 * 60_000;

const StoredHealthReport = Type.Object({
  ...EdgeHealthReport.properties,
  /** When the report came, by the log's clock, ms since the epoch. */
  heardAtMs: Type.Integer(),
});

export const BidderHealthState = Type.Object({
  /** The number of resets of the figures; earlier reports are deleted. */
  resets: Type.Integer({ minimum: 0 }),
  /** The last report of each edge. */
  edges: Type.Record(Type.String(), StoredHealthReport),
  /** ms since the epoch; outlives the edge that received the bid. */
  lastBidAtMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type BidderHealthState = Static<typeof BidderHealthState>;

export function emptyBidderHealth(): BidderHealthState {
  return { resets: 0, edges: {}, lastBidAtMs: null };
}

/** The handlers change `state` in place: the kind is lazy. */
export const bidderHealthHandlers = handlersOf(BidderHealthState, bidderHealthMessages, {
  report(state, body, { nowMs }) {
    if (body.resets < state.resets) return;
    if (body.resets > state.resets) Object.assign(state, emptyBidderHealth(), { resets: body.resets });
    for (const [edge, { heardAtMs }] of Object.entries(state.edges)) {
      if (nowMs - heardAtMs > forgetEdgeAfterMs) delete state.edges[edge];
    }
    state.edges[body.edge] = { ...body.sighting, heardAtMs: nowMs };
    if (body.lastBidAtMs !== null) state.lastBidAtMs = Math.max(state.lastBidAtMs ?? 0, body.lastBidAtMs);
  },
});
