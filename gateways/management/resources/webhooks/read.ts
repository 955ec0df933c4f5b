import { defineRoute } from '../../routing/route.ts';
import { loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

export const readWebhook = defineRoute({
  method: 'GET',
  path: '/api/webhooks/:id',
  tag: 'Webhooks',
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  description: 'With whether it is switched off, by whom and why. Never its signing secret.',
  access: 'account',
  revised: true,
  params: WebhookParams,
  answer: { status: 200, schema: Webhook },
  async handle({ params: { id }, caller, revision, parts }) {
    const state = await loadWebhook(parts, id, caller);
    revision(state.revision);
    return showWebhook(id, state);
  },
});
