import { invitation } from '#actors/invitation/invitation';
import { ACCEPTANCE_HOLD_MS } from '#actors/invitation/reduce';
import { PROVISIONAL_CLAIM_MS } from '#actors/name/reduce';
import { runActorCases } from '../actor-cases.ts';

const source = { type: 'publisher', id: 'p1' };
const created = {
  type: 'create',
  body: {
    ...{ accountId: 'a1', email: 'ann@example.com', name: 'Ann', role: 'source', source },
    ...{ tokenHash: 'hash 1', invitedBy: 'u1', expiresAtMs: 1_000_000 },
  },
};
const held = { claim: 'c1', heldUntilMs: Date.parse('2026-01-31T12:00:00.000Z') + PROVISIONAL_CLAIM_MS };
const emailClaim = { nameId: 'a1:invitation:ann', ...held };
const take = (claim: string, atMs = 0, tokenHash = 'hash 1') => ({ type: 'take', body: { tokenHash, claim, atMs } });
const accept = (claim: string) => ({ type: 'accept', body: { claim } });
const letGo = (claim: string) => ({ type: 'let-go', body: { claim } });
const revoke = (atMs = 0) => ({ type: 'revoke', body: { atMs } });
const renew = (atMs = 0) => ({
  type: 'renew',
  body: { tokenHash: 'hash 2', invitedBy: 'u2', expiresAtMs: 2_000_000, atMs },
});
const forgotten = { email: '', name: '', tokenHash: '', taken: null };

describe('actors/invitation', () => {
  runActorCases(invitation, 'i1', [
    { title: 'is created open', when: created, does: { state: { ...created.body, status: 'open', taken: null } } },
    { title: 'created again stays as it is', given: [created], when: created, does: { state: 'same' } },
    {
      title: 'of another account is not created in its place',
      given: [created],
      when: { ...created, body: { ...created.body, accountId: 'a2' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not created on a claim that is about to lapse: others may have invited the email since',
      when: { ...created, body: { ...created.body, emailClaim }, atMs: PROVISIONAL_CLAIM_MS },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is created on a claim that holds, and keeps no note of it',
      when: { ...created, body: { ...created.body, emailClaim } },
      does: { state: { ...created.body, ...{ status: 'open', taken: null } } },
    },
    {
      title: 'releases the claim of a request that died, since it has no name',
      given: [created],
      when: { type: 'answer-for-claim', body: emailClaim },
      does: {
        state: 'same',
        sends: [{ to: 'name/a1:invitation:ann', type: 'release', body: { holder: 'invitation/i1', ...held } }],
      },
    },
    {
      title: 'is taken by who shows the token',
      given: [created],
      when: take('one'),
      does: { state: { status: 'open', taken: { claim: 'one', untilMs: ACCEPTANCE_HOLD_MS } } },
    },
    {
      title: 'is not taken by another token',
      given: [created],
      when: take('one', 0, 'x'),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'is not taken once it has expired',
      given: [created],
      when: take('one', 1_000_000),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'is taken by one of two',
      given: [created, take('one')],
      when: take('two'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is taken again by the same one',
      given: [created, take('one')],
      when: take('one', 5),
      does: { state: { taken: { claim: 'one', untilMs: ACCEPTANCE_HOLD_MS + 5 } } },
    },
    {
      title: 'is taken by another when the first has had its minute',
      given: [created, take('one')],
      when: take('two', ACCEPTANCE_HOLD_MS),
      does: { state: { taken: { claim: 'two', untilMs: 2 * ACCEPTANCE_HOLD_MS } } },
    },
    {
      title: 'that was let go is taken by another',
      given: [created, take('one'), letGo('one')],
      when: take('two'),
      does: { state: { taken: { claim: 'two', untilMs: ACCEPTANCE_HOLD_MS } } },
    },
    {
      title: 'is let go by who has it alone',
      given: [created, take('one')],
      when: letGo('two'),
      does: { state: 'same' },
    },
    {
      title: 'accepted has ended, and forgets who was invited',
      given: [created, take('one')],
      when: accept('one'),
      does: { state: { status: 'accepted', source, ...forgotten } },
    },
    {
      title: 'is accepted by who has taken it alone',
      given: [created, take('one')],
      when: accept('two'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'accepted is taken by nobody',
      given: [created, take('one'), accept('one')],
      when: take('two'),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'accepted is not revoked',
      given: [created, take('one'), accept('one')],
      when: revoke(),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'revoked has ended, and forgets who was invited',
      given: [created],
      when: revoke(),
      does: { state: { status: 'revoked', ...forgotten } },
    },
    {
      title: 'revoked is taken by nobody',
      given: [created, revoke()],
      when: take('one'),
      does: { rejected: 'NOT_FOUND' },
    },
    { title: 'revoked is not renewed', given: [created, revoke()], when: renew(), does: { rejected: 'NOT_FOUND' } },
    {
      title: 'is not revoked while it is being accepted',
      given: [created, take('one')],
      when: revoke(),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not renewed while it is being accepted',
      given: [created, take('one')],
      when: renew(),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'renewed has another token, from who renews it',
      given: [created],
      when: renew(),
      does: { state: { tokenHash: 'hash 2', invitedBy: 'u2', expiresAtMs: 2_000_000, status: 'open' } },
    },
    {
      title: 'renewed is not taken by the token before',
      given: [created, renew()],
      when: take('one'),
      does: { rejected: 'NOT_FOUND' },
    },
    { title: 'never created, is absent', when: revoke(), does: { rejected: 'NOT_FOUND' } },
  ]);
});
