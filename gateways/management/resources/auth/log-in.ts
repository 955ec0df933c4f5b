import Type from 'typebox';
import { ApiError } from '../../../errors.ts';
import { isForged } from '../../identity/cross-origin.ts';
import { logIn } from '../../identity/passwords/log-in.ts';
import { sessionTokenOf } from '../../identity/session-token.ts';
import { endSession, openSession } from '../../identity/sessions.ts';
import { defineRoute } from '../../routing/route.ts';
import { originRules } from '../../shell/own-origins.ts';
import { userExample } from '../users/example.ts';
import { longestPassword, showUser, User } from '../users/user.ts';

export const logInRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/login',
  tag: 'Account',
  summary: 'Log in: answers the user, and the cookie of a session',
  description:
    'The session ends 24 hours after it was last used. Ten failures within 15 minutes, for one email or from one address, are followed by 429 until that time is over.',
  access: 'public',
  body: Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: longestPassword }),
    },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
  examples: {
    body: { email: userExample.email, password: 'a phrase that only Ann knows' },
    answer: { user: userExample },
  },
  answer: { status: 200, schema: Type.Object({ user: User }), headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, request, parts }) {
    // Else another site could log its visitor in as somebody it chose.
    if (isForged(request, originRules(parts.settings))) {
      throw new ApiError('FORBIDDEN', 'Another site may not log its visitors in.');
    }
    const { id, state } = await logIn(parts, { ...body, address: request.address });
    const replaced = sessionTokenOf(request.header('Cookie'), parts.settings);
    if (replaced !== null) await endSession(parts, replaced);
    const { token } = await openSession(parts, id, state);
    request.giveSession(token);
    return { user: showUser(id, state) };
  },
});
