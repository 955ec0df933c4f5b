import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { emailNameId, noUser, UserState } from '#actors/user/reduce';
import { confirmedFactor } from '#actors/user/second-factor';
import { user } from '#actors/user/user';
import type { Effects, MessageOf } from '#runtime/actor/define-actor';
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
const ofSource = (role: string, source: object | null) => ({
  type: 'create',
  body: { ...created.body, role, source },
});
const harbour = { type: 'publisher', id: 'p1' };
const confirm = (email: string) => ({
  to: `name/${emailNameId(email)}`,
  type: 'confirm',
  body: { holder: 'user/u1', claim: `claim of ${email}` },
});
const release = (email: string) => ({ ...confirm(email), type: 'release' });
const told = (type: 'join' | 'stay' | 'left', term?: number) => ({
  to: 'operators/all',
  type,
  body: { userId: 'u1', ...(term !== undefined && { term }) },
});
const asked = (term: number) => ({ type: 'answer-for-leave', body: { term } });
const update = (changes: object, more: object = {}) => ({ type: 'update', body: { changes, ...more } });

const enrolled = (factorId = 'f1') => ({
  type: 'enrol-second-factor',
  body: { factorId, sealedSecret: 'sealed', recoveryHashes: ['r1', 'r2'] },
});
const confirmed = (step: number, factorId = 'f1') => ({ type: 'confirm-second-factor', body: { factorId, step } });
const use = (proof: object) => ({ type: 'use-second-factor', body: { proof: { factorId: 'f1', ...proof } } });
const remove = (proof: object) => ({ ...use(proof), type: 'remove-second-factor' });
const reset = { type: 'reset-second-factor', body: {} };
const factor = { id: 'f1', sealedSecret: 'sealed', confirmed: true, lastStep: 7, recoveryHashes: ['r1', 'r2'] };

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
    {
      title: 'of a source is created with it, under a status by which 0.4 lets nobody in',
      when: ofSource('source', harbour),
      does: { state: { role: 'source', source: harbour, status: 'confined' }, sends: [confirm('ann@example.com')] },
    },
    {
      title: 'of a source is confined again when it is enabled',
      given: [ofSource('source', harbour), update({ status: 'disabled' })],
      when: update({ status: 'active' }),
      does: { state: { status: 'confined', sessionEpoch: 1 } },
    },
    {
      title: 'of a source is not created without one',
      when: ofSource('source', null),
      does: { rejected: 'VALIDATION_ERROR' },
    },
    {
      title: 'who acts for the account is of no source',
      when: ofSource('member', harbour),
      does: { rejected: 'VALIDATION_ERROR' },
    },
    {
      title: 'of a source has no other role',
      given: [ofSource('source', harbour)],
      when: update({ role: 'operator' }),
      does: { rejected: 'CONFLICT' },
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
      when: update({ role: 'member' }, { leavingInTerm: 0 }),
      does: { state: { role: 'member', operatorTerm: 1 }, sends: [told('left', 0)] },
    },
    {
      title: 'leaves the roll when it is disabled',
      given: [operator],
      when: update({ status: 'disabled' }, { leavingInTerm: 0 }),
      does: { state: { status: 'disabled', operatorTerm: 1 }, sends: [told('left', 0)] },
    },
    ...[update({ role: 'member' }), update({ status: 'disabled' }), { type: 'remove', body: {} }].map((when) => ({
      title: `stays an operator while the roll has not agreed: ${JSON.stringify(when)}`,
      given: [operator],
      when,
      does: { rejected: 'CONFLICT' },
    })),
    {
      title: 'stays an operator once it has answered so, whatever the roll agreed to before',
      given: [operator, asked(0)],
      when: update({ role: 'member' }, { leavingInTerm: 0 }),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'answers that it stays, which is no change that anybody made',
      given: [operator],
      when: asked(2),
      does: { state: { operatorTerm: 3, revision: 1 }, sends: [told('stay', 2)] },
    },
    {
      title: 'answers for an earlier term in its own',
      given: [operator, asked(2)],
      when: asked(0),
      does: { state: 'same', sends: [told('stay', 2)] },
    },
    {
      title: 'answers that it has left',
      given: [operator, update({ role: 'member' }, { leavingInTerm: 0 })],
      when: asked(0),
      does: { state: 'same', sends: [told('left', 0)] },
    },
    {
      title: 'does not leave in an earlier term when it is an operator again',
      given: [operator, update({ role: 'member' }, { leavingInTerm: 0 }), update({ role: 'operator' })],
      when: update({ role: 'member' }, { leavingInTerm: 0 }),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'joins the roll again with any change, so that one of whom it lost sight is on it',
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
      when: { type: 'remove', body: { leavingInTerm: 0 } },
      does: {
        state: { status: 'removed', email: '', name: '', passwordHash: '', borneName: null, operatorTerm: 1 },
        sends: [release('ann@example.com'), told('left', 0)],
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
    {
      title: 'waits for the first code of a second factor, and keeps its sessions meanwhile',
      given: [created],
      when: enrolled(),
      does: { state: { secondFactor: { ...factor, confirmed: false, lastStep: 0 }, sessionEpoch: 0, revision: 1 } },
    },
    {
      title: 'confirms its second factor, which ends all sessions and uses the code up',
      given: [created, enrolled()],
      when: confirmed(7),
      does: { state: { secondFactor: factor, sessionEpoch: 1, revision: 2 } },
    },
    {
      title: 'confirms no second factor that was replaced meanwhile',
      given: [created, enrolled(), enrolled('f2')],
      when: confirmed(7),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'confirms no second factor twice',
      given: [created, enrolled(), confirmed(7)],
      when: confirmed(8),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'replaces no second factor that is confirmed',
      given: [created, enrolled(), confirmed(7)],
      when: enrolled('f2'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'takes the code of a later step',
      given: [created, enrolled(), confirmed(7)],
      when: use({ step: 8 }),
      does: { state: { secondFactor: { ...factor, lastStep: 8 }, revision: 2 }, reply: true },
    },
    {
      title: 'takes no code of a step that was used',
      given: [created, enrolled(), confirmed(7), use({ step: 8 })],
      when: use({ step: 8 }),
      does: { state: 'same', reply: false },
    },
    {
      title: 'takes no code of an earlier step',
      given: [created, enrolled(), confirmed(7)],
      when: use({ step: 6 }),
      does: { state: 'same', reply: false },
    },
    {
      title: 'takes a recovery code',
      given: [created, enrolled(), confirmed(7)],
      when: use({ recoveryHash: 'r1' }),
      does: { state: { secondFactor: { ...factor, recoveryHashes: ['r2'] } }, reply: true },
    },
    {
      title: 'takes no recovery code twice',
      given: [created, enrolled(), confirmed(7), use({ recoveryHash: 'r1' })],
      when: use({ recoveryHash: 'r1' }),
      does: { state: 'same', reply: false },
    },
    {
      title: 'takes no code for a second factor that was not confirmed',
      given: [created, enrolled()],
      when: use({ step: 8 }),
      does: { state: 'same', reply: false },
    },
    {
      title: 'takes no code that proves an earlier second factor',
      given: [created, enrolled(), confirmed(7), reset, enrolled('f2'), confirmed(8, 'f2')],
      when: use({ step: 9 }),
      does: { state: 'same', reply: false },
    },
    {
      title: 'removes its second factor for a code that was not used',
      given: [created, enrolled(), confirmed(7)],
      when: remove({ step: 8 }),
      does: { state: { secondFactor: null, revision: 3 } },
    },
    {
      title: 'removes no second factor for a code that was used',
      given: [created, enrolled(), confirmed(7)],
      when: remove({ step: 7 }),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'has no second factor any more when an operator resets it',
      given: [created, enrolled(), confirmed(7)],
      when: reset,
      does: { state: { secondFactor: null, revision: 3 } },
    },
    { title: 'has none to reset and stays as it is', given: [created], when: reset, does: { state: 'same' } },
    {
      title: 'resets no second factor of another revision than was read',
      given: [created, enrolled(), confirmed(7)],
      when: { ...reset, body: { expecting: [1] } },
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'keeps the secret of its second factor as it is sealed anew',
      given: [created, enrolled(), confirmed(7)],
      when: { type: 'reseal-second-factor', body: { from: 'sealed', sealed: 'anew' } },
      does: { state: { secondFactor: { ...factor, sealedSecret: 'anew' }, revision: 2 } },
    },
    {
      title: 'keeps no secret that was sealed anew in the place of another',
      given: [created, enrolled(), confirmed(7)],
      when: { type: 'reseal-second-factor', body: { from: 'earlier', sealed: 'anew' } },
      does: { state: 'same' },
    },
    {
      title: 'forgets its second factor when it is removed',
      given: [created, enrolled(), confirmed(7)],
      when: { type: 'remove', body: {} },
      does: { state: { status: 'removed', secondFactor: null }, sends: [release('ann@example.com')] },
    },
    { title: 'never created, is absent', when: update({ name: 'Anna' }), does: { rejected: 'NOT_FOUND' } },
  ]);

  it('saved by 0.4, without a source or a second factor, is read and sets one up', () => {
    const {
      secondFactor: _,
      source: __,
      ...older
    }: UserState = { ...noUser, accountId: 'a1', status: 'active' as const };
    expect(Compile(UserState).Errors(older)).to.deep.equal([]);
    const message = enrolled() as MessageOf<typeof user.messages>;
    const context = { id: 'u1', address: 'user/u1', nowMs: 0, position: '0-0', random: () => 0.5 };
    const outcome = user.handle(older, message, context) as Effects<UserState>;
    expect(outcome.state!.secondFactor).to.deep.include({ id: 'f1', confirmed: false });
    expect(confirmedFactor(older as UserState)).to.equal(null);
  });
});
