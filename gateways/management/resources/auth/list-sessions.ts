import Type, { type Static } from 'typebox';
import { Timestamp, Uuid } from '#actors/api-schemas';
import { endOfSession, publicSessionId, sessionsOf } from '../../identity/sessions.ts';
import { optionalPaging, pageIn } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadUser } from '../users/user.ts';

/** A browser in which the user is logged in. */
const OpenSession = Type.Object(
  {
    id: Uuid,
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
    opened_at: Timestamp,
    last_used_at: Type.String({ format: 'date-time', description: 'To the minute.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends if it is not used again.' }),
  },
  { title: 'OpenSession' },
);

const example: Static<typeof OpenSession> = {
  id: '0d8f2c1e-5b7a-8f57-9a63-2f1c9a4be007',
  current: true,
  opened_at: '2026-03-01T09:30:00.000Z',
  last_used_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-03T09:30:00.000Z',
};

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/auth/sessions',
  tag: 'Account',
  operationId: 'listSessions',
  summary: "List one's own open sessions, newest first",
  description: 'Every browser in which the user is logged in. `DELETE /api/auth/sessions/{id}` ends one.',
  access: 'login',
  examples: { answer: { sessions: [example] } },
  query: Type.Object(optionalPaging),
  answer: {
    status: 200,
    schema: Type.Object({ sessions: Type.Array(OpenSession) }),
    headers: { 'Cache-Control': 'no-store' },
  },
  async handle({ query, caller, listed, parts }) {
    const { userId, sessionId: current } = caller.by;
    const open = await sessionsOf(parts, userId, await loadUser(parts, userId));
    const sessions = open.map(({ sessionId, state }) => ({
      id: publicSessionId(sessionId),
      current: sessionId === current,
      opened_at: new Date(state.openedAtMs).toISOString(),
      last_used_at: new Date(state.lastSeenAtMs).toISOString(),
      expires_at: new Date(endOfSession(state, parts)).toISOString(),
    }));
    listed(sessions.length);
    return { sessions: pageIn(sessions, query) };
  },
});
