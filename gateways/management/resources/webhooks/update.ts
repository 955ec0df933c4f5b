import Type from 'typebox';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { webhookFields } from '#actors/webhook/fields';
import { webhook } from '#actors/webhook/webhook';
import { defineRoute } from '../../routing/route.ts';
import { loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

// The URL of a webhook never changes.
const { url: _, ...changeable } = writtenProperties(webhookFields);

export const updateWebhook = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/webhooks/:id',
  tag: 'Webhooks',
  operationId: 'updateWebhook',
  summary: 'Change what a webhook is told of, or make it active again',
  description:
    'The URL stays as it is: for another, register another webhook and delete this one. `status: "active"` ends a `disabled`; what happened meanwhile is not told, and deliveries that were given up can be replayed.',
  access: 'account',
  revised: true,
  params: WebhookParams,
  body: Type.Partial(Type.Object({ ...changeable, status: Type.Literal('active') }), { additionalProperties: false }),
  examples: { body: { events: ['pool.dsp_joined'] } },
  answer: { status: 200, schema: Webhook },
  async handle({ params: { id }, body: { status, ...changes }, caller, identity, expecting, revision, parts }) {
    await loadWebhook(parts, id, caller);
    const updated = await parts.messenger.ask(
      webhook,
      id,
      'update',
      {
        scope: caller.scope,
        ...changesFrom(webhookFields, changes),
        ...(status && { activate: true }),
        ...(expecting && { expecting }),
      },
      { requestId: identity.askId() },
    );
    revision(updated.revision);
    return showWebhook(id, updated);
  },
});
