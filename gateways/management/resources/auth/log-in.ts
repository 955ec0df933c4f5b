import Type from 'typebox';
import { ApiError } from '#gateways/errors';
import { isCrossSiteForgery } from '../../identity/cross-site-requests.ts';
import { createDeviceCookie, deviceCookieOf } from '../../identity/passwords/device-cookie.ts';
import { emailDigest, logIn } from '../../identity/passwords/log-in.ts';
import { sessionTokenOf } from '../../identity/session-token.ts';
import { endSession, openSession } from '../../identity/sessions.ts';
import { defineRoute } from '../../routing/route.ts';
import { originRules } from '../../shell/own-origins.ts';
import { userExample } from '../users/example.ts';
import { longestPassword, showUser, User } from '../users/user.ts';
import { Code } from './second-factor/own-code.ts';

export const logInRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/login',
  tag: 'Account',
  operationId: 'logIn',
  summary: 'Log in: answers the user, and the cookie of a session',
  description:
    'A user with a second factor shows a code, too: without it, a right password is 400 with `field: code`; with a wrong or used one 401, which counts as a failure. The session ends 24 hours after it was last used, and 30 days (`SESSION_LIFETIME_DAYS`) after logging in. Ten failures within 15 minutes for one email from one address, or fifty from one address, are followed by 429 until that time is over; past twenty for one email from everywhere, each further one is followed by a delay that doubles, from 1 second to 15 minutes. A browser in which the user has logged in before is known by a cookie of its own: it has ten failures, and those of others do not concern it.',
  access: 'public',
  body: Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: longestPassword }),
      code: Type.Optional(Code),
    },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  examples: {
    body: { email: userExample.email, password: 'a phrase that only Ann knows' },
    answer: { user: userExample },
  },
  answer: { status: 200, schema: Type.Object({ user: User }), headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, request, byUser, parts }) {
    // The check keeps another site from logging its visitor in as a user of its own choice.
    if (isCrossSiteForgery(request, originRules(parts.settings))) {
      throw new ApiError('FORBIDDEN', 'Another site may not log its visitors in.');
    }
    const { id, state } = await logIn(parts, {
      ...body,
      address: request.countedAddress,
      deviceCookie: request.cookie(deviceCookieOf(parts.settings)),
    });
    const replaced = sessionTokenOf(request.header('Cookie'), parts.settings);
    if (replaced !== null) await endSession(parts, replaced, byUser);
    // Only a successful login leaves an audit entry: a failed one changes nothing, and entries for failures would let
    // any caller fill the trail. Failures are counted (`password-failures.ts`).
    const { token } = await openSession(parts, id, state, byUser(id, state.accountId));
    request.giveSession(token);
    request.giveDevice(createDeviceCookie(emailDigest(body.email), parts));
    return { user: showUser(id, state) };
  },
});
