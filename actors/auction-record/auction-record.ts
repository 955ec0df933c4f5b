import { defineActor } from '../../runtime/actor/define-actor.ts';
import { auctionRecordMessages } from './messages.ts';
import { AuctionRecordState, emptyAuctionRecord } from './state.ts';

/**
 * One auction that an edge has recorded. Id: see record-key.ts. Found by queries, never asked. Lazy: a record that is lost in a
 * crash is one sample fewer. They go with time (docs/decisions/0033).
 */
export const auctionRecord = defineActor({
  kind: 'auction-record',
  schemaVersion: 2,
  saving: 'lazy',
  state: AuctionRecordState,
  messages: auctionRecordMessages,
  initial: () => ({ ...emptyAuctionRecord }),
  handlers: {
    record(state, body, { id }) {
      // What has sold nothing is settled from the start.
      Object.assign(state, body, { key: id, settled: body.outcome !== 'filled', shown: [] });
    },
    settle(state, { shown }) {
      if (state.key === '') return;
      state.settled = true;
      state.shown = shown;
    },
  },
  forgetActorsMs: 24 * 3_600_000,
  // All that anybody filters by: records are many and large, and a path that is no index is read from each of them.
  indexes: [
    'key',
    'accountId',
    'publisherKey',
    'marks',
    'poolId',
    'auctionId',
    'sandbox',
    'region',
    'outcome',
    'reasons',
    'settled',
  ],
});
