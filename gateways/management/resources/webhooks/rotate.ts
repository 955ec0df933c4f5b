import Type from 'typebox';
import { webhook } from '#actors/webhook/webhook';
import { makeSigningSecret, webhookSealer } from '#gateways/webhooks/signing-secret';
import { defineRoute } from '../../routing/route.ts';
import { loadWebhook, showWebhook, Webhook, WebhookParams } from './webhook.ts';

/**
 * The time in ms that the former secret stays valid. Standard Webhooks, "Signature scheme": deliveries carry a
 * signature of each secret that is in use.
 */
const KEEP_FORMER_MS = 86_400_000;

export const rotateWebhookSecret = defineRoute({
  method: 'POST',
  path: '/api/webhooks/:id/rotate',
  tag: 'Webhooks',
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook another signing secret, shown this once',
  description:
    'For 24 hours deliveries carry two signatures, of the new secret and of the one before, so that receivers can change over without missing any.',
  access: 'account',
  revised: true,
  params: WebhookParams,
  answer: {
    status: 200,
    schema: Type.Object({
      ...Webhook.properties,
      secret: Type.String({ description: '`whsec_` and base64. Shown this once.' }),
    }),
  },
  async handle({ params: { id }, caller, identity, expecting, revision, parts }) {
    await loadWebhook(parts, id, caller);
    const { seal, open } = webhookSealer(parts);
    const rotated = await parts.messenger.ask(
      webhook,
      id,
      'rotate',
      {
        scope: caller.scope,
        sealedSecret: seal(makeSigningSecret()),
        keepFormerMs: KEEP_FORMER_MS,
        ...(expecting && { expecting }),
      },
      { requestId: identity.askId() },
    );
    revision(rotated.revision);
    return { ...showWebhook(id, rotated), secret: open(rotated.sealedSecret) };
  },
});
