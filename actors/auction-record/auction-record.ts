import { defineActor } from '../../runtime/actor/define-actor.ts';
import { auctionRecordMessages } from './messages.ts';
import { AuctionRecordState, noAuction } from './state.ts';

/**
 * One auction that an edge has recorded. Id: see record-key.ts. Found by queries, never asked. Lazy: a record that is lost in a
 * crash is one sample fewer. They go with time (docs/decisions/0033).
 */
export const auctionRecord = defineActor({
  kind: 'auction-record',
  schemaVersion: 1,
  saving: 'lazy',
  state: AuctionRecordState,
  messages: auctionRecordMessages,
  initial: () => ({ ...noAuction }),
  handle(state, { body }, { id }) {
    Object.assign(state, body, { key: id });
  },
  forgetActorsMs: 24 * 3_600_000,
  indexes: ['key', 'accountId', 'publisherKey', 'marks', 'poolId', 'auctionId'],
});
