import Type from 'typebox';
import { apiKey } from '#actors/api-key/api-key';
import { Name } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { keyWithSecretExample } from './example.ts';
import { ApiKeyWithSecret, Environment, makeKey, showKey } from './key.ts';

export const createKey = defineRoute({
  method: 'POST',
  path: '/api/keys',
  tag: 'Account',
  operationId: 'createKey',
  summary: 'Make an API key, which is shown this once',
  description:
    'The key belongs to the account, whatever partner or sandbox the request names. An account has at most 1,000 keys that have not ended (409).',
  access: 'session',
  body: Type.Object(
    {
      name: Name,
      environment: Environment,
      expires_at: Type.Optional(
        Type.String({ format: 'date-time', description: 'In the future; without it the key does not expire.' }),
      ),
    },
    { additionalProperties: false },
  ),
  errors: ['CONFLICT'],
  examples: { body: { name: 'Reporting server', environment: 'live' }, answer: keyWithSecretExample },
  answer: { status: 201, schema: ApiKeyWithSecret, headers: { 'Cache-Control': 'no-store' } },
  async handle({ body: { name, environment, expires_at: expiresAt }, caller: { accountId }, identity, parts }) {
    const expiresAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    if (expiresAtMs !== undefined && !(expiresAtMs > parts.clock.now())) {
      throw new ApiError('VALIDATION_ERROR', 'expires_at must be in the future.', 'expires_at');
    }
    const { key, hint } = makeKey(environment, identity.newId, parts.secretKey);
    const hash = credentialId(key);
    const fields = { accountId, environment, name, hint, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
    const holding = { accountId, sandbox: false, resource: 'api_keys', id: hash, bytes: 0 } as const;
    const requestId = identity.askId();
    const state = await withinQuota(parts, holding, () =>
      parts.messenger.ask(apiKey, hash, 'create', fields, { requestId }),
    );
    return { ...showKey({ hash, state }), key };
  },
});
