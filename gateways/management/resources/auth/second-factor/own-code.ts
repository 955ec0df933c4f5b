import Type from 'typebox';
import { ApiError } from '../../../../errors.ts';
import { FAILURES_ALLOWED, failures } from '../../../identity/passwords/failures.ts';
import { longestCode } from '../../../identity/second-factor/prove.ts';
import type { ManagementParts } from '../../../parts.ts';

export const Code = Type.String({
  minLength: 1,
  maxLength: longestCode,
  description: 'Of the authenticator app, now, one step of 30 seconds before or one after; or a recovery code.',
});

/**
 * What the code that a logged in user shows proves. VALIDATION_ERROR of `code` where `judge` finds nothing; RATE_LIMITED past ten
 * wrong ones in a quarter of an hour.
 */
export async function judgedCode<Proof>(
  parts: Pick<ManagementParts, 'rates'>,
  userId: string,
  judge: () => Proof | null,
): Promise<Proof> {
  const tried = failures(parts, [{ key: `second-factor:${userId}`, past: 'refuse', allowed: FAILURES_ALLOWED }]);
  await tried.refuseTooMany();
  const proof = judge();
  if (proof !== null) return proof;
  await tried.failed();
  throw new ApiError('VALIDATION_ERROR', 'The code is wrong, or of another time.', 'code');
}
