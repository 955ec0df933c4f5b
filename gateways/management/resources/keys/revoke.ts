import Type from 'typebox';
import { apiKey } from '#actors/api-key/api-key';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { KeyParams, loadKey } from './key.ts';

export const revokeKey = defineRoute({
  method: 'DELETE',
  path: '/api/keys/:id',
  tag: 'Account',
  operationId: 'revokeKey',
  summary: 'Revoke an API key for good: it is 401 at once',
  description: 'Ad requests are refused within a second. Revoking it again is 204 too.',
  access: 'session',
  reach: { environments: 'every' },
  params: KeyParams,
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, caller: { accountId }, identity, parts }) {
    const { hash } = await loadKey(parts, id, accountId);
    await parts.messenger.ask(apiKey, hash, 'revoke', { accountId }, { requestId: identity.askId() });
    await releaseQuota(parts, { accountId, sandbox: false, resource: 'api_keys', id: hash });
    return null;
  },
});
