import { webhook } from '#actors/webhook/webhook';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

export const removeWebhook = defineRoute({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  tag: 'Webhooks',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook; answers what it was',
  description: 'What waits to be delivered to it is given up.',
  access: 'account',
  revised: true,
  params: WebhookParams,
  answer: { status: 200, schema: Webhook },
  async handle({ params: { id }, caller, identity, expecting, parts }) {
    await loadWebhook(parts, id, caller);
    const removed = await parts.messenger.ask(
      webhook,
      id,
      'remove',
      { scope: caller.scope, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    await releaseQuota(parts, { accountId: removed.accountId, sandbox: removed.sandbox, resource: 'webhooks', id });
    return showWebhook(id, removed);
  },
});
