import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { usageEtag, usageOfAccount } from '../../quotas/usage.ts';
import { defineRoute } from '../../routing/route.ts';
import { AccountWithUsage, loadAccount, showAccount } from './account.ts';

export const readAccount = defineRoute({
  method: 'GET',
  path: '/api/accounts/:id',
  tag: 'Operators',
  operationId: 'getAccount',
  summary: 'Read an account',
  description: 'With its limits and what of them is used, live and in the sandbox.',
  access: 'operator',
  revised: true,
  params: Type.Object({ id: Uuid }),
  answer: { status: 200, schema: AccountWithUsage },
  async handle({ params: { id }, revision, parts }) {
    const state = await loadAccount(parts, id);
    const usage = await usageOfAccount(parts, id);
    revision(state.revision, usageEtag(usage));
    return { ...showAccount(id, state), usage };
  },
});
