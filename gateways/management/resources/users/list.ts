import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { userExample } from './example.ts';
import { showUser, User } from './user.ts';

/** The saved statuses of active users; `confined` is that of an active user of a source. */
const active = ['active', 'confined'];

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/users',
  tag: 'Operators',
  operationId: 'listUsers',
  summary: 'List the users of all accounts, or of one, oldest first',
  description: 'Users that were deleted are not shown.',
  access: 'operator',
  query: Type.Object({
    account_id: Type.Optional(Uuid),
    status: Type.Optional(Type.Enum(['active', 'disabled'], { description: 'Users of this status alone.' })),
    ...sorting('created_at', 'updated_at', 'name', 'email'),
    ...optionalPaging,
  }),
  examples: { answer: { users: [userExample], total: 1 } },
  answer: { status: 200, schema: Type.Object({ users: Type.Array(User), total: Type.Integer() }) },
  async handle({ query, parts }) {
    const { account_id: accountId, status, sort } = query;
    const where = {
      status: { in: status === 'disabled' ? ['disabled'] : status === 'active' ? active : [...active, 'disabled'] },
      ...(accountId === undefined ? {} : { accountId }),
    };
    const { documents, total } = await parts.store.query(user.kind, { where, ...orderOf(sort), ...pageOf(query) });
    return { users: documents.map(({ id, state }) => showUser(id, state as UserState)), total };
  },
});
