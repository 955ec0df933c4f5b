import Type from 'typebox';
import { user } from '#actors/user/user';
import { assertOwnPassword } from '../../identity/passwords/own-password.ts';
import { hashPassword } from '../../identity/passwords/password-hash.ts';
import { openSession } from '../../identity/sessions.ts';
import { defineRoute } from '../../routing/route.ts';
import { userExample } from '../users/example.ts';
import { loadUser, longestPassword, NewPassword } from '../users/user.ts';
import { Session, showSession } from './session.ts';

export const changePassword = defineRoute({
  method: 'PUT',
  path: '/api/auth/password',
  tag: 'Account',
  operationId: 'changePassword',
  summary: "Change one's own password",
  description: 'All other sessions of the user end at once; this one goes on under a new cookie.',
  access: 'login',
  body: Type.Object(
    { current_password: Type.String({ minLength: 1, maxLength: longestPassword }), new_password: NewPassword },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['CONFLICT', 'RATE_LIMITED'],
  examples: {
    body: { current_password: 'a phrase that only Ann knows', new_password: 'another phrase of hers' },
    answer: { user: userExample, source: null, expires_at: '2026-03-03T09:30:00.000Z' },
  },
  answer: { status: 200, schema: Session, headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, caller, request, parts }) {
    const { userId } = caller.by;
    const { passwordHash: provenHash } = await loadUser(parts, userId);
    await assertOwnPassword(parts, { userId, passwordHash: provenHash }, body.current_password, 'current_password');
    const passwordHash = await hashPassword(body.new_password, parts.settings.passwordHashCost);
    const changed = await parts.messenger.ask(user, userId, 'change-password', { provenHash, passwordHash });
    // The change ended all sessions of the user, also the one of this request.
    const { token, endsAtMs } = await openSession(parts, userId, changed);
    request.giveSession(token);
    return showSession(parts, userId, changed, endsAtMs);
  },
});
