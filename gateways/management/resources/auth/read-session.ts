import { defineRoute } from '../../routing/route.ts';
import { userExample } from '../users/example.ts';
import { loadUser } from '../users/user.ts';
import { Session, showSession } from './session.ts';

export const readSession = defineRoute({
  method: 'GET',
  path: '/api/auth/session',
  tag: 'Account',
  operationId: 'getSession',
  summary: 'Read who is logged in, and until when',
  description:
    'The user of the session that the request brings, with the account, the source of a user who is of one, and when the session ends if it is not used again.',
  access: 'login',
  examples: { answer: { user: userExample, source: null, expires_at: '2026-03-03T09:30:00.000Z' } },
  answer: { status: 200, schema: Session, headers: { 'Cache-Control': 'no-store' } },
  async handle({ caller, parts }) {
    const { userId, endsAtMs } = caller.by;
    return showSession(parts, userId, await loadUser(parts, userId), endsAtMs);
  },
});
