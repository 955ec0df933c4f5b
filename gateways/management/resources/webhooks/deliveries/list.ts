import Type from 'typebox';
import { type DeliveryState, DeliveryStatus, webhookDelivery } from '#actors/webhook-delivery/webhook-delivery';
import { defineRoute } from '#gateways/management/routing/route';
import { paging } from '../../fields.ts';
import { loadWebhook, WebhookParams } from '../webhook.ts';
import { Delivery, showDelivery } from './delivery.ts';

export const listDeliveries = defineRoute({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  tag: 'Webhooks',
  operationId: 'listWebhookDeliveries',
  summary: 'List what a webhook was told of, or is to be, newest first',
  description: 'Deliveries are kept for 30 days.',
  access: 'account',
  params: WebhookParams,
  query: Type.Object({
    ...paging,
    status: Type.Optional(Type.Enum([...DeliveryStatus.enum], { description: 'Those of this status alone.' })),
  }),
  answer: {
    status: 200,
    schema: Type.Object({ deliveries: Type.Array(Delivery), total: Type.Integer(), page: Type.Integer() }),
  },
  async handle({ params: { id }, query: { page = 1, per_page: perPage = 50, status }, caller, parts }) {
    await loadWebhook(parts, id, caller);
    const { documents, total } = await parts.store.query(webhookDelivery.kind, {
      where: { webhookId: id, ...(status && { status }) },
      orderBy: 'openedAtMs',
      descending: true,
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    return { deliveries: documents.map(({ state }) => showDelivery(state as DeliveryState)), total, page };
  },
});
