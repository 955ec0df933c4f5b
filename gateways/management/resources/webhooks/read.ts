import { defineRoute } from '../../routing/route.ts';
import { loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

export const readWebhook = defineRoute({
  method: 'GET',
  path: '/api/webhooks/:id',
  tag: 'Webhooks',
  summary: 'Read a webhook',
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
