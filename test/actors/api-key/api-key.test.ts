import { apiKey } from '#actors/api-key/api-key';
import { ROTATION_HOLD_MS } from '#actors/api-key/reduce';
import { runActorCases } from '../actor-cases.ts';

const created = {
  type: 'create',
  body: { accountId: 'a1', environment: 'live', name: 'server', hint: 'pk_live_abcd' },
};

const begin = (successor: string, atMs = 0) => ({ type: 'begin-rotation', body: { accountId: 'a1', successor, atMs } });
const revokeFor = (successor: string) => ({ type: 'revoke', body: { accountId: 'a1', successor } });
const retireFor = (successor: string, atMs = 5000) => ({ type: 'retire', body: { accountId: 'a1', successor, atMs } });

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
      title: 'reserves its rotation for one successor, and goes on working',
      given: [created],
      when: begin('new', 1000),
      does: {
        state: { rotation: { successor: 'new', untilMs: 1000 + ROTATION_HOLD_MS }, replaced: false, revokedAt: null },
        view: { id: 'a-hash' },
      },
    },
    {
      title: 'reserves its rotation for one of two',
      given: [created, begin('new')],
      when: begin('other', ROTATION_HOLD_MS - 1),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'reserves its rotation for the same successor again',
      given: [created, begin('new')],
      when: begin('new', 1000),
      does: { state: { rotation: { successor: 'new', untilMs: 1000 + ROTATION_HOLD_MS } } },
    },
    {
      title: 'reserves its rotation for another when the first has died half-way',
      given: [created, begin('new')],
      when: begin('other', ROTATION_HOLD_MS),
      does: { state: { rotation: { successor: 'other', untilMs: 2 * ROTATION_HOLD_MS } } },
    },
    {
      title: 'is not ended by a rotation that another has overtaken',
      given: [created, begin('new'), begin('other', ROTATION_HOLD_MS)],
      when: revokeFor('new'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not retired by a rotation that another has overtaken',
      given: [created, begin('new'), begin('other', ROTATION_HOLD_MS)],
      when: retireFor('new'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is ended by the rotation that it is reserved for, be it late',
      given: [created, begin('new')],
      when: { ...revokeFor('new'), atMs: 2 * ROTATION_HOLD_MS },
      does: { state: { revokedAt: '2026-01-31T12:02:00.000Z', replaced: true }, view: null },
    },
    ...[revokeFor('new'), retireFor('new')].flatMap((end) => [
      {
        title: `is rotated once, by ${end.type}`,
        given: [created, begin('new'), end],
        when: begin('other', 10 * ROTATION_HOLD_MS),
        does: { rejected: 'CONFLICT' },
      },
      {
        title: `answers the successor in its place as before, after ${end.type}`,
        given: [created, begin('new'), end],
        when: begin('new', 10 * ROTATION_HOLD_MS),
        does: { state: 'same' as const },
      },
      {
        title: `stays as it is when its successor ends it again, by ${end.type}`,
        given: [created, begin('new'), end],
        when: { ...end, atMs: 1000 },
        does: { state: 'same' as const },
      },
    ]),
    {
      title: 'knows its successor when it was revoked between the two steps',
      given: [created, begin('new'), { type: 'revoke', body: { accountId: 'a1' }, atMs: 1000 }],
      when: { ...revokeFor('new'), atMs: 2000 },
      does: { state: { revokedAt: '2026-01-31T12:00:01.000Z', replaced: true }, view: null },
    },
    {
      title: 'is not rotated once it is revoked',
      given: [created, { type: 'revoke', body: { accountId: 'a1' } }],
      when: begin('new'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not rotated once it has expired',
      given: [{ type: 'create', body: { ...created.body, expiresAtMs: 5000 } }],
      when: begin('new', 5000),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'another account cannot rotate it',
      given: [created],
      when: { type: 'begin-rotation', body: { accountId: 'a2', successor: 'new', atMs: 0 } },
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
