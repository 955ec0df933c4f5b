import Type from 'typebox';
import { user } from '#actors/user/user';
import { defineRoute } from '../../routing/route.ts';
import { loadUser, UserParams } from './user.ts';

export const resetSecondFactor = defineRoute({
  method: 'DELETE',
  path: '/api/users/:id/second-factor',
  tag: 'Operators',
  operationId: 'resetSecondFactor',
  summary: 'Take the second factor of a user away, who has lost the authenticator',
  description:
    'The password alone logs in until the user sets up another. Make sure who asks. For a user who has none it changes nothing.',
  access: 'operator',
  revised: true,
  params: UserParams,
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, identity, expecting, parts }) {
    await loadUser(parts, id);
    const body = { ...(expecting && { expecting }) };
    await parts.messenger.ask(user, id, 'reset-second-factor', body, { requestId: identity.askId() });
    return null;
  },
});
