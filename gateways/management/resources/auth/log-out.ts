import Type from 'typebox';
import { sessionTokenOf } from '../../identity/session-token.ts';
import { endSession } from '../../identity/sessions.ts';
import { defineRoute } from '../../routing/route.ts';

export const logOutRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'Account',
  operationId: 'logOut',
  summary: 'End the session and take its cookie away',
  description: 'Without a session, or with one that has ended, it changes nothing.',
  access: 'public',
  errors: ['FORBIDDEN'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ request, byUser, parts }) {
    const token = sessionTokenOf(request.header('Cookie'), parts.settings);
    if (token !== null) await endSession(parts, token, byUser);
    request.giveSession(null);
    return null;
  },
});
