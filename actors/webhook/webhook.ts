import { defineActor } from '../../runtime/actor/define-actor.ts';
import { webhookMessages } from './messages.ts';
import { noWebhook, WebhookState, webhookHandlers } from './reduce.ts';

/** A webhook: the URL where an account receives events, and which events. Id: a UUID. */
export const webhook = defineActor({
  kind: 'webhook',
  schemaVersion: 2,
  saving: 'eager',
  state: WebhookState,
  messages: webhookMessages,
  initial: () => noWebhook,
  // Version 1 was not subscribed; the dispatcher looks for such webhooks, so it needs to read them.
  upgrade: (state) => ({ ...noWebhook, ...(state as Partial<WebhookState>) }),
  handlers: webhookHandlers,
  indexes: ['accountId', 'createdAt'],
});
