import { defineActor } from '../../runtime/actor/define-actor.ts';
import { webhookMessages } from './messages.ts';
import { noWebhook, WebhookState, webhookHandlers } from './reduce.ts';

/** Where an account wants to be told of events, and of which. Id: a UUID. */
export const webhook = defineActor({
  kind: 'webhook',
  schemaVersion: 2,
  saving: 'eager',
  state: WebhookState,
  messages: webhookMessages,
  initial: () => noWebhook,
  handlers: webhookHandlers,
  indexes: ['accountId', 'createdAt'],
});
