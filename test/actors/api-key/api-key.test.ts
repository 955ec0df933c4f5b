import { apiKey } from '#actors/api-key/api-key';
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
      title: 'knows when it expires, and says so in the catalogue',
      when: { type: 'create', body: { ...created.body, expiresAtMs: 5000 } },
      does: { state: { expiresAtMs: 5000 }, view: { expiresAtMs: 5000 } },
    },
    {
      title: 'retires at a time',
      given: [created],
      when: { type: 'retire', body: { accountId: 'a1', atMs: 5000 } },
      does: { state: { expiresAtMs: 5000, revokedAt: null, replaced: true }, view: { expiresAtMs: 5000 } },
    },
    {
      title: 'retires no later than it was to',
      given: [created, { type: 'retire', body: { accountId: 'a1', atMs: 5000 } }],
      when: { type: 'retire', body: { accountId: 'a1', atMs: 9000 } },
      does: { state: { expiresAtMs: 5000 } },
    },
    {
      title: 'another account cannot retire it',
      given: [created],
      when: { type: 'retire', body: { accountId: 'a2', atMs: 5000 } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'remembers its last use, and no earlier one',
      given: [created, { type: 'used', body: { atMs: 7000 } }],
      when: { type: 'used', body: { atMs: 6000 } },
      does: { state: { lastUsedAtMs: 7000 } },
    },
    {
      title: 'a key nobody registered has no uses',
      when: { type: 'used', body: { atMs: 6000 } },
      does: { state: 'same', view: null },
    },
    {
      title: 'a key nobody registered cannot be revoked, whatever the account',
      when: { type: 'revoke', body: { accountId: '' } },
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
