import Type from 'typebox';
import type { WebhookState } from '../../../../actors/webhook/reduce.ts';
import { webhook } from '../../../../actors/webhook/webhook.ts';
import { defineRoute } from '../../routing/route.ts';
import { visibleSources } from '../visible-sources.ts';
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
  answer: { status: 200, schema: Type.Object({ webhooks: Type.Array(Webhook), total: Type.Integer() }) },
  async handle({ caller, parts }) {
    const { documents, total } = await parts.store.query(webhook.kind, {
      where: visibleSources(caller),
      orderBy: 'createdAt',
    });
    return { webhooks: documents.map(({ id, state }) => showWebhook(id, state as WebhookState)), total };
  },
});
