import { defineActor } from '../../runtime/actor/define-actor.ts';
import { webhookQueueMessages } from './messages.ts';
import { emptyWebhookQueue, laneHandlers, WebhookQueueState } from './reduce.ts';

/**
 * The queue of one webhook: what is still to be delivered, and when. Id: the webhook's. Each webhook has a queue of its
 * own, so none waits for another's receiver; among the events about one resource only the first is attempted.
 */
export const webhookQueue = defineActor({
  kind: 'webhook-lane',
  schemaVersion: 1,
  saving: 'eager',
  audit: {
    entry: 'message',
    none: {
      abandon: 'It is a consequence of removing or disabling the webhook.',
      attempted: 'It is told by whoever delivers.',
    },
  },
  state: WebhookQueueState,
  messages: webhookQueueMessages,
  initial: () => emptyWebhookQueue,
  handlers: laneHandlers,
  indexes: ['dueAtMs'],
});
