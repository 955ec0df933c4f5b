import { partner } from '#actors/partner/partner';
import { partnerNameId } from '#actors/partner/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const idOf = (name: string) => partnerNameId({ accountId: 'a1', name });
const claimOf = (name: string) => ({ nameId: idOf(name), claim: name, heldUntilMs: beginningMs + 600_000 });
const create = { type: 'create', body: { accountId: 'a1', name: 'Acme', nameClaim: claimOf('Acme') } };
const confirmed = (name: string) => ({
  to: `name/${idOf(name)}`,
  type: 'confirm',
  body: { holder: 'partner/p1', claim: name },
});

describe('actors/partner', () => {
  runActorCases(partner, 'p1', [
    {
      title: 'is created',
      when: create,
      does: {
        state: { name: 'Acme', revision: 1, createdAt: '2026-01-31T12:00:00.000Z' },
        sends: [confirmed('Acme')],
        view: { id: 'p1', accountId: 'a1', name: 'Acme' },
      },
    },
    { title: 'created again, answers what it is', given: [create], when: create, does: { state: 'same' } },
    {
      title: 'is not made twice under one id by two accounts',
      given: [create],
      when: { ...create, body: { ...create.body, accountId: 'a2' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'renamed, confirms the new name and releases the old one',
      given: [create],
      when: { type: 'update', body: { accountId: 'a1', changes: { name: 'Best' }, nameClaim: claimOf('Best') } },
      does: {
        state: { name: 'Best', revision: 2 },
        sends: [{ ...confirmed('Acme'), type: 'release' }, confirmed('Best')],
        view: { name: 'Best' },
      },
    },
    {
      title: 'takes no name that was not claimed',
      given: [create],
      when: { type: 'update', body: { accountId: 'a1', changes: { name: 'Best' } } },
      does: { rejected: 'NAME_NOT_CLAIMED' },
    },
    {
      title: 'changes only the revision that was expected',
      given: [create],
      when: { type: 'update', body: { accountId: 'a1', changes: {}, expecting: [2] } },
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'confirms its claim when it is asked',
      given: [create],
      when: {
        type: 'answer-for-claim',
        body: { nameId: idOf('Acme'), claim: 'Acme', heldUntilMs: beginningMs + 600_000 },
      },
      does: { sends: [confirmed('Acme')] },
    },
    {
      title: 'does not exist for another account',
      given: [create],
      when: { type: 'update', body: { accountId: 'a2', changes: {} } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'never created, does not exist',
      when: { type: 'update', body: { accountId: 'a1', changes: {} } },
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
