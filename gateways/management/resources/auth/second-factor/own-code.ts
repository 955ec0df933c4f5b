import Type from 'typebox';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '#gateways/management/deps';
import {
  createPasswordFailures,
  MAX_PASSWORD_FAILURES,
} from '#gateways/management/identity/passwords/password-failures';
import { longestCode } from '#gateways/management/identity/second-factor/proof-of-code';

export const Code = Type.String({
  minLength: 1,
  maxLength: longestCode,
  description: 'Of the authenticator app, now, one step of 30 seconds before or one after; or a recovery code.',
});

/**
 * Checks the code of a logged-in user by `judge`. VALIDATION_ERROR of `code` when `judge` returns no proof;
 * RATE_LIMITED after 10 wrong codes in 15 minutes.
 */
export async function judgedCode<Proof>(
  deps: Pick<ManagementDeps, 'rates'>,
  userId: string,
  judge: () => Proof | null,
): Promise<Proof> {
  const failures = createPasswordFailures(deps, [
    { key: `second-factor:${userId}`, beyondLimit: 'refuse', allowed: MAX_PASSWORD_FAILURES },
  ]);
  await failures.refuseTooMany();
  const proof = judge();
  if (proof !== null) return proof;
  await failures.failed();
  throw new ApiError('VALIDATION_ERROR', 'The code is wrong, or of another time.', 'code');
}
