import { defineActor } from '../../runtime/actor/define-actor.ts';
import { webhookQueueMessages } from './messages.ts';
import { emptyWebhookQueue, laneHandlers, WebhookQueueState } from './reduce.ts';

/**
 * What is still to be delivered to one webhook, and when. Id: the webhook's. Each webhook has a lane of its own, so none waits
 * for another's receiver; of what is about one resource, only the first is tried.
 */
export const webhookQueue = defineActor({
  kind: 'webhook-lane',
  schemaVersion: 1,
  saving: 'eager',
  state: WebhookQueueState,
  messages: webhookQueueMessages,
  initial: () => emptyWebhookQueue,
  handlers: laneHandlers,
  indexes: ['dueAtMs'],
});
