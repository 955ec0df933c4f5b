import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { defineRoute } from '#gateways/management/routing/route';
import { loadWebhook } from '../webhook.ts';
import { assertActive } from './assert-active.ts';
import { Delivery, DeliveryParams, justEnqueued, loadDelivery, showDelivery, webhookEventOf } from './delivery.ts';

export const replayDelivery = defineRoute({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:delivery_id/replay',
  tag: 'Webhooks',
  operationId: 'replayWebhookDelivery',
  summary: 'Deliver an event again, whether it was acknowledged or given up',
  description:
    'It has six attempts anew, under the same `webhook-id`, after what is still open about the same resource. One that is being tried stays as it is.',
  access: 'account',
  params: DeliveryParams,
  errors: ['CONFLICT'],
  answer: { status: 200, schema: Delivery },
  async handle({ params: { id, delivery_id: eventId }, caller, identity, parts }) {
    const { accountId, status } = await loadWebhook(parts, id, caller);
    const delivery = await loadDelivery(parts, id, eventId);
    assertActive(status);
    if (delivery.status === 'pending') return showDelivery(delivery);
    const happening = webhookEventOf(delivery);
    const enqueued = { ...happening, accountId };
    await parts.messenger.ask(webhookQueue, id, 'enqueue', enqueued, { requestId: identity.askId() });
    return justEnqueued(delivery, id, happening, parts.clock.now());
  },
});
