import type { UserState } from '#actors/user/reduce';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { createPasswordFailures, MAX_PASSWORD_FAILURES } from './password-failures.ts';
import { isPassword } from './password-hash.ts';

/**
 * Checks the password before an action that a session alone does not permit, since the holder of a stolen session does
 * not know it. VALIDATION_ERROR of `field` when the password is wrong; RATE_LIMITED after 10 wrong ones in 15 minutes.
 */
export async function assertOwnPassword(
  deps: Pick<ManagementDeps, 'rates'>,
  { userId, passwordHash }: { readonly userId: string } & Pick<UserState, 'passwordHash'>,
  password: string,
  field: string,
): Promise<void> {
  const failures = createPasswordFailures(deps, [
    { key: `password:${userId}`, beyondLimit: 'refuse', allowed: MAX_PASSWORD_FAILURES },
  ]);
  await failures.refuseTooMany();
  if (!(await isPassword(password, passwordHash))) {
    await failures.failed();
    throw new ApiError('VALIDATION_ERROR', `${field} is wrong.`, field);
  }
  await failures.refuseTooMany();
}
