import Type from 'typebox';
import { apiKeysOf } from '../../identity/api-keys.ts';
import { defineRoute } from '../../routing/route.ts';
import { keyExample } from './example.ts';
import { ApiKey, showKey } from './key.ts';

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
  answer: { status: 200, schema: Type.Object({ keys: Type.Array(ApiKey), total: Type.Integer() }) },
  async handle({ caller: { accountId }, parts }) {
    const keys = (await apiKeysOf(accountId, parts)).map(showKey);
    return { keys, total: keys.length };
  },
});
