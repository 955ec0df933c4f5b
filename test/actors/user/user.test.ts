import { emailNameId } from '../../../actors/user/reduce.ts';
import { user } from '../../../actors/user/user.ts';
import { runActorCases } from '../actor-cases.ts';

const heldUntilMs = Date.UTC(2026, 1, 1);
const claimOf = (email: string) => ({ nameId: emailNameId(email), claim: `claim of ${email}`, heldUntilMs });
const creation = (role: 'member' | 'operator') => ({
  type: 'create',
  body: {
    accountId: 'a1',
    email: 'ann@example.com',
    name: 'Ann',
    role,
    passwordHash: 'hash 1',
    nameClaim: claimOf('ann@example.com'),
  },
});
const created = creation('member');
const operator = creation('operator');
const confirm = (email: string) => ({
  to: `name/${emailNameId(email)}`,
  type: 'confirm',
  body: { holder: 'user/u1', claim: `claim of ${email}` },
});
const release = (email: string) => ({ ...confirm(email), type: 'release' });
const told = (type: 'join' | 'left') => ({ to: 'operators/all', type, body: { userId: 'u1' } });
const update = (changes: object, more: object = {}) => ({ type: 'update', body: { changes, ...more } });

describe('actors/user', () => {
  runActorCases(user, 'u1', [
    {
      title: 'is created active, under an email of its own',
      when: created,
      does: {
        state: { accountId: 'a1', status: 'active', role: 'member', sessionEpoch: 0, revision: 1 },
        sends: [confirm('ann@example.com')],
      },
    },
    {
      title: 'tells the roll when it is an operator',
      when: operator,
      does: { sends: [confirm('ann@example.com'), told('join')] },
    },
    { title: 'created again stays as it is', given: [created], when: operator, does: { state: 'same' } },
    {
      title: 'is not created under an email that was not claimed',
      when: { type: 'create', body: { ...created.body, email: 'bob@example.com' } },
      does: { rejected: 'NAME_NOT_CLAIMED' },
    },
    {
      title: 'takes another email and frees the old one',
      given: [created],
      when: update({ email: 'anna@example.com' }, { nameClaim: claimOf('anna@example.com') }),
      does: {
        state: { email: 'anna@example.com', revision: 2 },
        sends: [release('ann@example.com'), confirm('anna@example.com')],
      },
    },
    {
      title: 'keeps its sessions when its name changes',
      given: [created],
      when: update({ name: 'Anna' }),
      does: { state: { name: 'Anna', sessionEpoch: 0 } },
    },
    {
      title: 'ends its sessions when it is disabled',
      given: [created],
      when: update({ status: 'disabled' }),
      does: { state: { status: 'disabled', sessionEpoch: 1 } },
    },
    {
      title: 'ends its sessions when its password is reset',
      given: [created],
      when: update({ passwordHash: 'hash 2' }),
      does: { state: { passwordHash: 'hash 2', sessionEpoch: 1 } },
    },
    {
      title: 'refuses a change meant for another revision',
      given: [created],
      when: update({ name: 'Anna' }, { expecting: [2] }),
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'leaves the roll when it becomes a member',
      given: [operator],
      when: update({ role: 'member' }),
      does: { sends: [told('left')] },
    },
    {
      title: 'leaves the roll when it is disabled',
      given: [operator],
      when: update({ status: 'disabled' }),
      does: { sends: [told('left')] },
    },
    {
      title: 'joins the roll again with any change, so that a going that was cut off is mended',
      given: [operator],
      when: update({ name: 'Anna' }),
      does: { sends: [told('join')] },
    },
    {
      title: 'changes its own password, which ends its sessions',
      given: [created],
      when: { type: 'change-password', body: { provenHash: 'hash 1', passwordHash: 'hash 2' } },
      does: { state: { passwordHash: 'hash 2', sessionEpoch: 1, revision: 2 } },
    },
    {
      title: 'refuses a new password when the proven one is not its password any more',
      given: [created, { type: 'change-password', body: { provenHash: 'hash 1', passwordHash: 'hash 2' } }],
      when: { type: 'change-password', body: { provenHash: 'hash 1', passwordHash: 'hash 3' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is removed for good: the email is free, and nothing tells who it was',
      given: [operator],
      when: { type: 'remove', body: {} },
      does: {
        state: { status: 'removed', email: '', name: '', passwordHash: '', borneName: null },
        sends: [release('ann@example.com'), told('left')],
      },
    },
    {
      title: 'removed, changes nothing any more',
      given: [created, { type: 'remove', body: {} }],
      when: update({ name: 'Anna' }),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'removed, is not created again',
      given: [created, { type: 'remove', body: {} }],
      when: created,
      does: { state: 'same' },
    },
    { title: 'never created, is absent', when: update({ name: 'Anna' }), does: { rejected: 'NOT_FOUND' } },
  ]);
});
