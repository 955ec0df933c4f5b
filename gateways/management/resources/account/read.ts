import { defineRoute } from '../../routing/route.ts';
import { Account, loadAccount, showAccount } from './account.ts';

export const readAccount = defineRoute({
  method: 'GET',
  path: '/api/account',
  tag: 'Account',
  summary: "Read the caller's account",
  access: 'account',
  revised: true,
  answer: { status: 200, schema: Account },
  async handle({ caller: { accountId }, revision, parts }) {
    const state = await loadAccount(parts, accountId);
    revision(state.revision);
    return showAccount(accountId, state);
  },
});
