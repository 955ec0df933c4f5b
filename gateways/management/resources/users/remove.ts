import Type from 'typebox';
import { user } from '#actors/user/user';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { resignOperator } from './resign-operator.ts';
import { loadUser, UserParams } from './user.ts';

export const removeUser = defineRoute({
  method: 'DELETE',
  path: '/api/users/:id',
  tag: 'Operators',
  operationId: 'deleteUser',
  summary: 'Remove a user for good',
  description:
    'All sessions of the user end at once, and the email is free. What the user made stays with the account. The last operator cannot be removed (409).',
  access: 'operator',
  revised: true,
  params: UserParams,
  answer: { status: 204, schema: Type.Null() },
  errors: ['CONFLICT'],
  async handle({ params: { id }, identity, expecting, parts }) {
    const before = await loadUser(parts, id);
    const leaving = await resignOperator(parts, id, before, { role: 'member', status: 'removed' }, expecting);
    const body = { ...leaving, ...(expecting && { expecting }) };
    await parts.messenger.ask(user, id, 'remove', body, { requestId: identity.askId() });
    await releaseQuota(parts, { accountId: before.accountId, sandbox: false, resource: 'users', id });
    return null;
  },
});
