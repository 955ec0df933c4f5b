import { pool } from '#actors/pool/pool';
import { poolNameId } from '#actors/pool/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'a1', partnerId: 'partner1', sandboxOnly: true };
const idOf = (name: string) => poolNameId({ accountId: 'a1', name });
const claimOf = (name: string) => ({ nameId: idOf(name), claim: name, heldUntilMs: beginningMs + 600_000 });
const create = {
  type: 'create',
  body: { accountId: 'a1', name: 'CTV', description: '', floorCpmMicros: 0, nameClaim: claimOf('CTV') },
};
const confirmed = { to: `name/${idOf('CTV')}`, type: 'confirm', body: { holder: 'pool/l1', claim: 'CTV' } };

describe('actors/pool', () => {
  runActorCases(pool, 'l1', [
    {
      title: 'is created',
      when: create,
      does: { sends: [confirmed], view: { id: 'l1', name: 'CTV', floorCpmMicros: 0 } },
    },
    { title: 'created again, answers what it is', given: [create], when: create, does: { state: 'same' } },
    {
      title: 'changes only the fields given, for every partner and environment of the account',
      given: [create],
      when: { type: 'update', body: { scope, changes: { floorCpmMicros: 7 } } },
      does: { state: { floorCpmMicros: 7, name: 'CTV' }, view: { floorCpmMicros: 7 } },
    },
    {
      title: 'renamed, confirms the new name and releases the old one',
      given: [create],
      when: { type: 'update', body: { scope, changes: { name: 'Web' }, nameClaim: claimOf('Web') } },
      does: {
        state: { name: 'Web' },
        sends: [
          { ...confirmed, type: 'release' },
          { to: `name/${idOf('Web')}`, type: 'confirm', body: { holder: 'pool/l1', claim: 'Web' } },
        ],
      },
    },
    {
      title: 'does not exist for another account',
      given: [create],
      when: { type: 'update', body: { scope: { ...scope, accountId: 'a2' }, changes: {} } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'never created, is not in the catalogue and does not exist',
      when: { type: 'update', body: { scope, changes: {} } },
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
