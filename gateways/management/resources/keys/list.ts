import Type from 'typebox';
import { apiKeysOf, type StoredApiKey } from '../../identity/api-keys.ts';
import { optionalPaging, pageIn } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { keyExample } from './example.ts';
import { ApiKey, hasEnded, showKey } from './key.ts';

export const listKeys = defineRoute({
  method: 'GET',
  path: '/api/keys',
  tag: 'Account',
  operationId: 'listKeys',
  summary: 'List the API keys of the account, oldest first, those that have ended too',
  description:
    'Never the keys themselves, which are shown once when they are made: what they are called, whether they still work and when they were last used.',
  access: 'session',
  examples: { answer: { keys: [keyExample], total: 1 } },
  query: Type.Object({
    status: Type.Optional(
      Type.Enum(['active', 'ended'], { description: 'Keys that work, or those that were revoked or have expired.' }),
    ),
    ...optionalPaging,
  }),
  answer: { status: 200, schema: Type.Object({ keys: Type.Array(ApiKey), total: Type.Integer() }) },
  async handle({ query, caller: { accountId }, parts }) {
    const nowMs = parts.clock.now();
    const statusOf = ({ state }: StoredApiKey) => (hasEnded(state, nowMs) ? 'ended' : 'active');
    const all = await apiKeysOf(accountId, parts);
    const keys = all.filter((key) => query.status === undefined || statusOf(key) === query.status);
    return { keys: pageIn(keys, query).map(showKey), total: keys.length };
  },
});
