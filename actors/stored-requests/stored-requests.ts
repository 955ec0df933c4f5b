import { defineActor } from '../../runtime/actor/define-actor.ts';
import { storedRequestsMessages } from './messages.ts';
import { noStoredRequests, StoredRequestsState, storedRequestsHandlers, storedRequestsProjection } from './reduce.ts';

/**
 * The bid requests and imps that a publisher has stored for the clients of Prebid Server, which send their names. Id:
 * that of the supply source.
 */
export const storedRequests = defineActor({
  kind: 'stored-requests',
  schemaVersion: 1,
  saving: 'eager',
  audit: { entry: 'message' },
  state: StoredRequestsState,
  messages: storedRequestsMessages,
  initial: () => noStoredRequests,
  handlers: storedRequestsHandlers,
  projection: storedRequestsProjection,
  indexes: ['accountId'],
});
