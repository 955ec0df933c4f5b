import Type from 'typebox';
import { apiKey } from '#actors/api-key/api-key';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import { confirmQuotaHolding, releaseQuota, withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { keyWithSecretExample } from './example.ts';
import { ApiKeyWithSecret, hasEnded, KeyParams, loadKey, makeKey, showKey } from './key.ts';

const longestOverlapS = 7 * 24 * 3600;

export const rotateKey = defineRoute({
  method: 'POST',
  path: '/api/keys/:id/rotate',
  tag: 'Account',
  operationId: 'rotateKey',
  summary: 'Make a key in the place of another, which ends after an overlap',
  description:
    'The new key has the name, the environment and the expiry of the old one. A key that has ended, or was rotated already, is not rotated (409), nor one that is to work beside the new one when the account has no room for both.',
  access: 'session',
  reach: { environments: 'every' },
  params: KeyParams,
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: longestOverlapS,
          default: 0,
          description: 'How long the old key goes on working; 0: it is revoked at once.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  errors: ['CONFLICT'],
  examples: { body: { overlap_seconds: 3600 }, answer: keyWithSecretExample },
  answer: { status: 201, schema: ApiKeyWithSecret, headers: { 'Cache-Control': 'no-store' } },
  async handle({ params: { id }, body: { overlap_seconds: overlapS = 0 }, caller: { accountId }, identity, parts }) {
    const { messenger, secretKey, clock } = parts;
    const old = await loadKey(parts, id, accountId);
    const { name, environment, expiresAtMs } = old.state;
    const { key, hint } = makeKey(environment, identity.newId, secretKey);
    const hash = credentialId(key);
    const [made] = await parts.store.load([{ kind: apiKey.kind, id: hash }]);
    const repeated = made !== null && made !== undefined;
    if (!repeated && hasEnded(old.state, clock.now())) throw new ApiError('CONFLICT', 'The API key has ended.');
    // A successor of a replaced key would inherit the end of its overlap.
    if (!repeated && old.state.replaced) throw new ApiError('CONFLICT', 'The API key was rotated already.');

    const requestId = identity.askId();
    const fields = { accountId, environment, name, hint, ...(expiresAtMs === null ? {} : { expiresAtMs }) };
    // The new key is created first: when the request is interrupted between the two steps, both keys work.
    const create = () => messenger.ask(apiKey, hash, 'create', fields, { requestId });
    const holding = { accountId, sandbox: false, resource: 'api_keys', id: hash, bytes: 0 } as const;
    // A key that ends at once makes room for the new one.
    const state = overlapS === 0 ? await create() : await withinQuota(parts, holding, create);
    if (overlapS === 0) {
      await messenger.ask(apiKey, old.hash, 'revoke', { accountId }, { requestId });
      await confirmQuotaHolding(parts, holding);
      await releaseQuota(parts, { ...holding, id: old.hash });
    } else {
      const atMs = clock.now() + overlapS * 1000;
      await messenger.ask(apiKey, old.hash, 'retire', { accountId, atMs }, { requestId });
    }
    return { ...showKey({ hash, state }), key };
  },
});
