import Type, { type Static } from 'typebox';
import { user } from '#actors/user/user';
import { assertOwnPassword } from '#gateways/management/identity/passwords/own-password';
import { newRecoveryCodes, recoveryHashOf } from '#gateways/management/identity/second-factor/recovery-codes';
import { secondFactorSealer } from '#gateways/management/identity/second-factor/second-factor-sealer';
import { newTotpSecret, otpauthUrl } from '#gateways/management/identity/second-factor/totp';
import { defineRoute } from '#gateways/management/routing/route';
import { loadUser, longestPassword } from '../../users/user.ts';

const NewSecondFactor = Type.Object(
  {
    secret: Type.String({ description: 'For authenticator apps, in base32: HMAC-SHA-1, six digits, 30 seconds.' }),
    otpauth_url: Type.String({ description: 'The same, to be shown to the app as a QR code.' }),
    recovery_codes: Type.Array(Type.String(), { description: 'Each stands in for a code of the app, once.' }),
  },
  { title: 'NewSecondFactor' },
);

const example: Static<typeof NewSecondFactor> = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauth_url:
    'otpauth://totp/exchange.example:ann%40publisher.example?issuer=exchange.example&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  recovery_codes: Array.from({ length: 10 }, (_, index) => `mzxw-6ytb-oi7d-k3q${'abcdefghij'[index]}`),
};

export const enrolSecondFactor = defineRoute({
  method: 'POST',
  path: '/api/auth/second-factor',
  tag: 'Account',
  operationId: 'enrolSecondFactor',
  summary: 'Begin to use an authenticator app (TOTP, RFC 6238) as a second factor',
  description:
    'Secret and recovery codes are shown this once. Nothing changes until `POST /api/auth/second-factor/confirm` shows a code; asking again, with an `Idempotency-Key` or without, begins anew. With a confirmed factor it is 409. It takes the password, so that whoever holds a session of somebody else keeps nobody out.',
  access: 'login',
  body: Type.Object(
    { password: Type.String({ minLength: 1, maxLength: longestPassword }) },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['CONFLICT', 'RATE_LIMITED'],
  examples: { body: { password: 'a phrase that only Ann knows' }, answer: example },
  answer: { status: 201, schema: NewSecondFactor, headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, caller, parts }) {
    const { userId } = caller.by;
    const { email, passwordHash } = await loadUser(parts, userId);
    await assertOwnPassword(parts, { userId, passwordHash }, body.password, 'password');
    const secret = newTotpSecret(parts.random);
    const recoveryCodes = newRecoveryCodes(parts.random);
    await parts.messenger.ask(user, userId, 'enrol-second-factor', {
      factorId: parts.random.id(),
      sealedSecret: secondFactorSealer(parts).seal(secret),
      recoveryHashes: recoveryCodes.map((code) => recoveryHashOf(code)!),
    });
    const url = otpauthUrl(secret, { issuer: parts.settings.exchangeDomain, label: email });
    return { secret, otpauth_url: url, recovery_codes: recoveryCodes };
  },
});
