import { createHash } from 'node:crypto';
import { emailNameId, type UserState } from '../../../../actors/user/reduce.ts';
import { user } from '../../../../actors/user/user.ts';
import { ApiError } from '../../../errors.ts';
import { networkOf } from '../../../http/network-of.ts';
import type { ManagementParts } from '../../parts.ts';
import { failures } from './failures.ts';
import { hashCost, isPassword } from './password-hash.ts';

export interface LoggingIn {
  readonly email: string;
  readonly password: string;
  /** The caller's. */
  readonly address: string;
}

export interface KnownUser {
  readonly id: string;
  readonly state: UserState;
}

/** Of no password: comparing with it takes as long as with anybody's. */
const nobodysHash = `$scrypt$ln=${hashCost.log2n},r=${hashCost.r},p=${hashCost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * The user who shows this email and this password. UNAUTHORIZED for everybody else, in the same words after the same time
 * whether the email, the password or the user's standing is at fault; RATE_LIMITED after ten failures in a quarter of
 * an hour, for one email or from one network.
 */
export async function logIn(parts: ManagementParts, { email, password, address }: LoggingIn): Promise<KnownUser> {
  const tried = failures(parts, [
    `login-email:${digestOf(email)}`,
    `login-address:${networkOf(address, { v4: 32, v6: 64 })}`,
  ]);
  await tried.refuseTooMany();
  const found = await findUser(email, parts);
  const known = await isPassword(password, found?.state.passwordHash ?? nobodysHash);
  if (found === null || !known || found.state.status !== 'active') {
    await tried.failed();
    throw new ApiError('UNAUTHORIZED', 'The email or the password is wrong.');
  }
  // Of many guesses made at the same moment, none succeeds once too many have failed.
  await tried.refuseTooMany();
  return found;
}

/** Counters stand where nobody expects names of people; and they are of one length. */
function digestOf(email: string): string {
  return createHash('sha256').update(emailNameId(email)).digest('base64url');
}

async function findUser(email: string, { store }: Pick<ManagementParts, 'store'>): Promise<KnownUser | null> {
  const where = { 'borneName.nameId': emailNameId(email) };
  const { documents } = await store.query(user.kind, { where, limit: 1 });
  const [document] = documents;
  return document ? { id: document.id, state: document.state as UserState } : null;
}
