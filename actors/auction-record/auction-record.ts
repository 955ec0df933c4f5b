import { defineActor } from '../../runtime/actor/define-actor.ts';
import { auctionRecordMessages } from './messages.ts';
import { AuctionRecordState, emptyAuctionRecord } from './state.ts';

/**
 * One auction that an edge has recorded. Id: see record-id.ts. Found by queries, never asked. The kind is lazy: a
 * record that is lost in a crash is one sample fewer. Records are deleted by age (docs/decisions/0033).
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
      // A record without sales is settled from the start.
      Object.assign(state, body, { key: id, settled: body.outcome !== 'filled', shown: [] });
    },
    settle(state, { shown }) {
      if (state.key === '') return;
      state.settled = true;
      state.shown = shown;
    },
  },
  forgetActorsMs: 24 * 3_600_000,
  // These are all the fields that queries filter by: records are many and large, and a query on a path without an index
  // reads each of them.
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
