import { defineActor } from '../../runtime/actor/define-actor.ts';
import { bidderHealthMessages } from './messages.ts';
import { BidderHealthState, bidderHealthHandlers, emptyBidderHealth } from './reduce.ts';

/**
 * The health of one demand source as each edge that calls it sees it. Id: the demand source's. Read with health.ts,
 * never asked.
 */
export const bidderHealth = defineActor({
  kind: 'bidder-health',
  schemaVersion: 1,
  saving: 'lazy',
  state: BidderHealthState,
  messages: bidderHealthMessages,
  initial: emptyBidderHealth,
  handlers: bidderHealthHandlers,
});
