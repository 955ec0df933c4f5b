import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import type { WebhookEvent } from '#actors/webhook-subscriptions/events';
import { defineRoute } from '#gateways/management/routing/route';
import { loadWebhook, WebhookParams } from '../webhook.ts';
import { assertActive } from './assert-active.ts';
import { Delivery, justEnqueued } from './delivery.ts';

export const sendTestEvent = defineRoute({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  tag: 'Webhooks',
  operationId: 'testWebhook',
  summary: 'Send a webhook an event `webhook.test`',
  description: 'Signed, tried again and listed as any other; what came of it stands among the deliveries.',
  access: 'account',
  params: WebhookParams,
  errors: ['CONFLICT'],
  answer: { status: 201, schema: Delivery },
  async handle({ params: { id }, caller, identity, parts }) {
    const { accountId, status } = await loadWebhook(parts, id, caller);
    assertActive(status);
    const nowMs = parts.clock.now();
    const happening: WebhookEvent = {
      eventId: `evt_test_${identity.newId}`,
      type: 'webhook.test',
      occurredAtMs: nowMs,
      // The resource is unique, so that the test event waits for no other event.
      resource: `test/${identity.newId}`,
      data: { webhook_id: id },
    };
    const enqueued = { ...happening, accountId };
    await parts.messenger.ask(webhookQueue, id, 'enqueue', enqueued, { requestId: identity.askId() });
    return justEnqueued(null, id, happening, nowMs);
  },
});
