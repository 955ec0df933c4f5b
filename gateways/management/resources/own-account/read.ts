import { usageEtag, usageOfAccount } from '../../quotas/usage.ts';
import { defineRoute } from '../../routing/route.ts';
import { AccountWithUsage, loadAccount, showAccount } from '../accounts/account.ts';

export const readOwnAccount = defineRoute({
  method: 'GET',
  path: '/api/account',
  tag: 'Account',
  operationId: 'getOwnAccount',
  summary: "Read the caller's account",
  description: 'With its limits and what of them is used, live and in the sandbox.',
  access: 'account',
  revised: true,
  answer: { status: 200, schema: AccountWithUsage },
  async handle({ caller: { accountId }, revision, parts }) {
    const state = await loadAccount(parts, accountId);
    const usage = await usageOfAccount(parts, accountId);
    revision(state.revision, usageEtag(usage));
    return { ...showAccount(accountId, state), usage };
  },
});
