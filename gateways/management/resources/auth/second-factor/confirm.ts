import Type from 'typebox';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import { totpStepOf } from '#gateways/management/identity/second-factor/proof-of-code';
import { openSession } from '#gateways/management/identity/sessions';
import { defineRoute } from '#gateways/management/routing/route';
import { userExample } from '../../users/example.ts';
import { loadUser } from '../../users/user.ts';
import { Session, showSession } from '../session.ts';
import { Code, judgedCode } from './own-code.ts';

export const confirmSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/auth/second-factor/confirm',
  tag: 'Account',
  operationId: 'confirmSecondFactor',
  summary: 'Show a code of the app: logging in asks for one from here on',
  description:
    'All other sessions of the user end at once; this one goes on under a new cookie. The code is used up: the next one logs in. Recovery codes confirm nothing.',
  access: 'login',
  body: Type.Object({ code: Code }, { additionalProperties: false }),
  bodyLimitBytes: 4096,
  errors: ['CONFLICT', 'RATE_LIMITED'],
  examples: {
    body: { code: '492039' },
    answer: { user: { ...userExample, second_factor: true }, source: null, expires_at: '2026-03-03T09:30:00.000Z' },
  },
  answer: { status: 200, schema: Session, headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, caller, request, parts }) {
    const { userId } = caller.by;
    const { secondFactor: waiting } = await loadUser(parts, userId);
    if (!waiting || waiting.confirmed) throw new ApiError('CONFLICT', 'There is no second factor to confirm.');
    const step = await judgedCode(parts, userId, () => totpStepOf(parts, waiting, body.code));
    const confirmed = await parts.messenger.ask(user, userId, 'confirm-second-factor', { factorId: waiting.id, step });
    // The change ended all sessions of the user, also the one of this request.
    const { token, endsAtMs } = await openSession(parts, userId, confirmed);
    request.giveSession(token);
    return showSession(parts, userId, confirmed, endsAtMs);
  },
});
