import Type from 'typebox';
import type { WebhookState } from '../../../../actors/webhook/reduce.ts';
import { webhook } from '../../../../actors/webhook/webhook.ts';
import { defineRoute } from '../../routing/route.ts';
import { Events, loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

export const updateWebhook = defineRoute({
  method: 'PUT',
  path: '/api/webhooks/:id',
  tag: 'Webhooks',
  summary: 'Change what a webhook is told of',
  description: 'URL and secret stay as they are: for others, register another webhook and delete this one.',
  access: 'account',
  revised: true,
  params: WebhookParams,
  body: Type.Object({ events: Events }, { additionalProperties: false }),
  examples: { body: { events: ['pool.dsp_joined'] } },
  answer: { status: 200, schema: Webhook },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    await loadWebhook(parts, id, caller);
    const updated = await parts.messenger.ask<typeof webhook.messages, 'update', WebhookState>(
      webhook,
      id,
      'update',
      { scope: caller.scope, events: body.events, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    revision(updated.revision);
    return showWebhook(id, updated);
  },
});
