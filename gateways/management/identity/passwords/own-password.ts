import type { UserState } from '../../../../actors/user/reduce.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementParts } from '../../parts.ts';
import { FAILURES_ALLOWED, failures } from './failures.ts';
import { isPassword } from './password-hash.ts';

/**
 * For what a session alone does not allow: whoever holds a stolen one does not know the password. VALIDATION_ERROR of `field` when it
 * is wrong; RATE_LIMITED past ten wrong ones in a quarter of an hour.
 */
export async function assertOwnPassword(
  parts: Pick<ManagementParts, 'rates'>,
  { userId, passwordHash }: { readonly userId: string } & Pick<UserState, 'passwordHash'>,
  password: string,
  field: string,
): Promise<void> {
  const tried = failures(parts, [{ key: `password:${userId}`, past: 'refuse', allowed: FAILURES_ALLOWED }]);
  await tried.refuseTooMany();
  if (!(await isPassword(password, passwordHash))) {
    await tried.failed();
    throw new ApiError('VALIDATION_ERROR', `${field} is wrong.`, field);
  }
  await tried.refuseTooMany();
}
