import Type from 'typebox';
import { createdFrom, writtenProperties } from '#actors/field-table';
import { webhookFields } from '#actors/webhook/fields';
import { webhookNameId } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { makeSigningSecret, webhookSealer } from '#gateways/webhooks/signing-secret';
import { createNamed } from '../../changes/create-named.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { mostWebhooks, normalWebhookUrl, showWebhook, urlDigest, Webhook } from './webhook.ts';

const description = `The URL is called by HTTP or HTTPS and holds no credentials; on a public exchange it may not lead into a private network. An account registers a URL once, and at most ${mostWebhooks} of them, live and in the sandbox each (409).

\`secret\` is what deliveries are signed with, as [Standard Webhooks](https://www.standardwebhooks.com) says. It is shown in this answer alone.

What is sent, and how it is to be answered, stands under \`webhooks\` in this document.`;

export const createWebhook = defineRoute({
  method: 'POST',
  path: '/api/webhooks',
  tag: 'Webhooks',
  operationId: 'createWebhook',
  summary: 'Register a URL to be told of events',
  description,
  access: 'account',
  revised: true,
  body: Type.Object(writtenProperties(webhookFields), { additionalProperties: false }),
  answer: {
    status: 201,
    schema: Type.Object({
      ...Webhook.properties,
      secret: Type.String({ description: '`whsec_` and base64. Shown this once.' }),
    }),
  },
  errors: ['CONFLICT'],
  examples: { body: { url: 'https://publisher.example/exchange-events', events: ['pool.dsp_joined'] } },
  async handle({ body, caller, identity, revision, parts }) {
    const { accountId, partnerId, sandbox } = caller;
    const url = normalWebhookUrl(body.url, parts.settings.allowPrivateNetworks);
    const fields = { ...createdFrom(webhookFields, body), url };
    const { seal, open } = webhookSealer(parts);
    const sealedSecret = seal(makeSigningSecret());

    const id = identity.newId;
    const holding = { accountId, sandbox, resource: 'webhooks', id, bytes: 0 } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${webhook.kind}/${id}`,
        identity,
        field: 'url',
        nameId: webhookNameId({ accountId, sandbox }, urlDigest(url)),
        ask: (nameClaim, requestId) =>
          parts.messenger.ask(
            webhook,
            id,
            'create',
            { accountId, partnerId, sandbox, ...fields, sealedSecret, nameClaim },
            { requestId },
          ),
      }),
    );
    revision(created.revision);
    // The stored secret is answered: when the same request created the webhook before, the secret generated above is
    // not in use.
    return { ...showWebhook(id, created), secret: open(created.sealedSecret) };
  },
});
