import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { session } from '#actors/session/session';
import { ApiError } from '#gateways/errors';
import { publicSessionId, sessionsOf } from '../../identity/sessions.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadUser } from '../users/user.ts';

export const revokeSession = defineRoute({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  tag: 'Account',
  operationId: 'revokeSession',
  summary: "End one of one's own sessions at once",
  description: 'The session that asks can be ended like any other. One that has ended does not exist.',
  access: 'login',
  params: Type.Object({ id: Uuid }),
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, caller, identity, parts }) {
    const { userId } = caller.by;
    const open = await sessionsOf(parts, userId, await loadUser(parts, userId));
    const found = open.find(({ sessionId }) => publicSessionId(sessionId) === id);
    if (found === undefined) throw new ApiError('NOT_FOUND', 'The session does not exist.');
    await parts.messenger.ask(session, found.sessionId, 'revoke', { userId }, { requestId: identity.askId() });
    return null;
  },
});
