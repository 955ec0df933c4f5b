import Type from 'typebox';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { showWebhook, Webhook } from './webhook.ts';

export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/api/webhooks',
  tag: 'Webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks, oldest first',
  description:
    'Without `page` and `per_page` all of them. The signing secret is shown when a webhook is made, and when it is rotated.',
  access: 'account',
  query: Type.Object({
    status: Type.Optional(Type.Enum(['active', 'disabled'], { description: 'Webhooks of this status alone.' })),
    ...sorting('created_at', 'updated_at'),
    ...optionalPaging,
  }),
  answer: { status: 200, schema: Type.Object({ webhooks: Type.Array(Webhook), total: Type.Integer() }) },
  async handle({ query, caller, parts }) {
    const { status, sort } = query;
    const { documents, total } = await parts.store.query(webhook.kind, {
      where: { ...visibleSourcesWhere(caller), ...(status && { status }) },
      ...orderOf(sort),
      ...pageOf(query),
    });
    return { webhooks: documents.map(({ id, state }) => showWebhook(id, state as WebhookState)), total };
  },
});
