import Type from 'typebox';
import { confirmedFactor } from '#actors/user/second-factor';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import { assertOwnPassword } from '#gateways/management/identity/passwords/own-password';
import { proofOfCode } from '#gateways/management/identity/second-factor/proof-of-code';
import { defineRoute } from '#gateways/management/routing/route';
import { loadUser, longestPassword } from '../../users/user.ts';
import { Code, judgedCode } from './own-code.ts';

export const removeSecondFactor = defineRoute({
  method: 'DELETE',
  path: '/api/auth/second-factor',
  tag: 'Account',
  operationId: 'removeSecondFactor',
  summary: "Remove one's own second factor",
  description:
    'It takes the password and a code of the app that was not used, or a recovery code. Who has neither asks an operator (`DELETE /api/users/{id}/second-factor`).',
  access: 'login',
  body: Type.Object(
    { password: Type.String({ minLength: 1, maxLength: longestPassword }), code: Code },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  examples: { body: { password: 'a phrase that only Ann knows', code: '492039' } },
  answer: { status: 204, schema: Type.Null() },
  async handle({ body, caller, parts }) {
    const { userId } = caller.by;
    const owner = await loadUser(parts, userId);
    const factor = confirmedFactor(owner);
    if (factor === null) throw new ApiError('NOT_FOUND', 'There is no second factor.');
    await assertOwnPassword(parts, { userId, passwordHash: owner.passwordHash }, body.password, 'password');
    const proof = await judgedCode(parts, userId, () => proofOfCode(parts, factor, body.code));
    await parts.messenger.ask(user, userId, 'remove-second-factor', { proof });
    return null;
  },
});
