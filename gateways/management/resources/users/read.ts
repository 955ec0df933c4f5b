import { defineRoute } from '../../routing/route.ts';
import { userExample } from './example.ts';
import { loadUser, showUser, User, UserParams } from './user.ts';

export const readUser = defineRoute({
  method: 'GET',
  path: '/api/users/:id',
  tag: 'Operators',
  operationId: 'getUser',
  summary: 'Read a user',
  description: 'Never its password, nor what a second factor is made of.',
  access: 'operator',
  revised: true,
  params: UserParams,
  examples: { answer: userExample },
  answer: { status: 200, schema: User },
  async handle({ params: { id }, parts, revision }) {
    const state = await loadUser(parts, id);
    revision(state.revision);
    return showUser(id, state);
  },
});
