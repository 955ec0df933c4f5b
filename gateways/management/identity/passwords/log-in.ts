import { createHash } from 'node:crypto';
import { emailNameId, isActive, type UserState } from '../../../../actors/user/reduce.ts';
import { confirmedFactor } from '../../../../actors/user/second-factor.ts';
import { user } from '../../../../actors/user/user.ts';
import { ApiError } from '../../../errors.ts';
import type { RateLimitAddress } from '../../../http/caller-address.ts';
import type { ManagementDeps } from '../../deps.ts';
import { proofOfCode } from '../second-factor/proof-of-code.ts';
import { readDeviceCookie } from './device-cookie.ts';
import { createPasswordFailures, type FailureLimit, MAX_PASSWORD_FAILURES } from './password-failures.ts';
import { hashCost, isPassword } from './password-hash.ts';

export interface LogInCredentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor, as it was typed. */
  readonly code?: string | undefined;
  readonly address: RateLimitAddress;
  /** The cookie of a browser that is known, as it came. */
  readonly deviceCookie?: string | undefined;
}

export interface KnownUser {
  readonly id: string;
  readonly state: UserState;
}

/** Of no password: comparing with it takes as long as with anybody's. */
const dummyHash = `$scrypt$ln=${hashCost.log2n},r=${hashCost.r},p=${hashCost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Wrong passwords for one email, from anywhere, before each further one is followed by a delay. */
const OF_ONE_EMAIL = 20;
/** Wrong passwords or links from one network, whatever the email: a house full of people types some. */
export const MAX_FAILURES_PER_NETWORK = 50;

/**
 * The user who shows this email and this password. UNAUTHORIZED for everybody else, in the same words after the same time
 * whether the email, the password or the user's standing is at fault. A user with a second factor shows a code that was not used, too:
 * INVALID_PARAMS of `code` without one, which only whoever knows the password is told.
 *
 * RATE_LIMITED after too many failures in a quarter of an hour, so counted that nobody locks out others: ten of one network for one
 * email; fifty of one network, unless it is a proxy that everybody may come through; and of one email from everywhere together,
 * twenty until delays begin. A browser that logged this email in before answers for its own ten failures and for nobody else's.
 */
export async function logIn(parts: ManagementDeps, credentials: LogInCredentials): Promise<KnownUser> {
  const { email, password } = credentials;
  const tried = createPasswordFailures(parts, failureLimitsOf(parts, credentials));
  await tried.refuseTooMany();
  const found = await findUser(email, parts);
  const known = await isPassword(password, found?.state.passwordHash ?? dummyHash);
  if (found === null || !known || !isActive(found.state)) {
    await tried.failed();
    throw new ApiError('UNAUTHORIZED', 'The email or the password is wrong.');
  }
  // Of many guesses made at the same moment, none succeeds once too many have failed.
  await tried.refuseTooMany();
  const factor = confirmedFactor(found.state);
  if (factor === null) return found;

  // Asking for it is no failure: browsers show the field once they are told.
  if (credentials.code === undefined) {
    throw new ApiError('INVALID_PARAMS', 'code is required, too: of the second factor, or a recovery code.', 'code');
  }
  const proof = proofOfCode(parts, factor, credentials.code);
  if (proof === null || !(await parts.messenger.ask(user, found.id, 'use-second-factor', { proof }))) {
    await tried.failed();
    throw new ApiError('UNAUTHORIZED', 'The code is wrong, of another time or used.');
  }
  return found;
}

function failureLimitsOf(parts: ManagementDeps, { email, address, deviceCookie }: LogInCredentials): FailureLimit[] {
  const digest = emailDigest(email);
  const refuse = (key: string, allowed = MAX_PASSWORD_FAILURES): FailureLimit => ({
    key,
    beyondLimit: 'refuse',
    allowed,
  });
  const device = readDeviceCookie(deviceCookie, digest, parts);
  if (device !== null) return [refuse(`login-device:${device}`)];
  const { network, sharedBy } = address;
  return [
    refuse(`login-pair:${digest}:${network}`),
    { key: `login-email:${digest}`, beyondLimit: 'delay', allowed: OF_ONE_EMAIL },
    ...(network === sharedBy ? [] : [refuse(`login-address:${network}`, MAX_FAILURES_PER_NETWORK)]),
  ];
}

/** Counters stand where nobody expects names of people; and they are of one length. */
export function emailDigest(email: string): string {
  return createHash('sha256').update(emailNameId(email)).digest('base64url');
}

/** Whose email it is, also of one who is disabled; null when it is nobody's. */
export async function findUser(email: string, { store }: Pick<ManagementDeps, 'store'>): Promise<KnownUser | null> {
  const where = { 'borneName.nameId': emailNameId(email) };
  const { documents } = await store.query(user.kind, { where, limit: 1 });
  const [document] = documents;
  return document ? { id: document.id, state: document.state as UserState } : null;
}
