import { apiKey } from '../../../actors/api-key/api-key.ts';
import { runActorCases } from '../actor-cases.ts';

const created = {
  type: 'create',
  body: { accountId: 'a1', environment: 'live', name: 'server', hint: 'pk_live_abcd' },
};

describe('actors/api-key', () => {
  runActorCases(apiKey, 'a-hash', [
    {
      title: 'is registered for an account and an environment',
      when: created,
      does: {
        state: { accountId: 'a1', revokedAt: null, createdAt: '2026-01-31T12:00:00.000Z' },
        view: { id: 'a-hash', accountId: 'a1', environment: 'live' },
      },
    },
    { title: 'registering it again changes nothing', given: [created], when: created, does: { state: 'same' } },
    {
      title: 'cannot be registered for a second account',
      given: [created],
      when: { type: 'create', body: { ...created.body, accountId: 'a2' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'leaves the catalogue when revoked',
      given: [created],
      when: { type: 'revoke', body: { accountId: 'a1' }, atMs: 1000 },
      does: { state: { revokedAt: '2026-01-31T12:00:01.000Z' }, view: null },
    },
    {
      title: 'keeps the first time of revocation',
      given: [created, { type: 'revoke', body: { accountId: 'a1' }, atMs: 1000 }],
      when: { type: 'revoke', body: { accountId: 'a1' }, atMs: 2000 },
      does: { state: 'same', view: null },
    },
    {
      title: 'registering a revoked key does not bring it back',
      given: [created, { type: 'revoke', body: { accountId: 'a1' } }],
      when: created,
      does: { state: 'same', view: null },
    },
    {
      title: 'another account cannot revoke it',
      given: [created],
      when: { type: 'revoke', body: { accountId: 'a2' } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'a key nobody registered cannot be revoked, whatever the account',
      when: { type: 'revoke', body: { accountId: '' } },
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
