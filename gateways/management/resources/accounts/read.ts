import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { Account, loadAccount, showAccount } from '../account/account.ts';
import { Uuid } from '../fields.ts';

export const readAnyAccount = defineRoute({
  method: 'GET',
  path: '/api/accounts/:id',
  tag: 'Operators',
  summary: 'Read an account',
  access: 'operator',
  revised: true,
  params: Type.Object({ id: Uuid }),
  answer: { status: 200, schema: Account },
  async handle({ params: { id }, revision, parts }) {
    const state = await loadAccount(parts, id);
    revision(state.revision);
    return showAccount(id, state);
  },
});
