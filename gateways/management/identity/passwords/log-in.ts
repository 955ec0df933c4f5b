import { createHash } from 'node:crypto';
import { emailNameId, isActive, type UserState } from '#actors/user/reduce';
import { confirmedFactor } from '#actors/user/second-factor';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import type { RateLimitAddress } from '#gateways/http/caller-address';
import type { ManagementDeps } from '../../deps.ts';
import { proofOfCode } from '../second-factor/proof-of-code.ts';
import { readDeviceCookie } from './device-cookie.ts';
import { createPasswordFailures, type FailureLimit, MAX_PASSWORD_FAILURES } from './password-failures.ts';
import { type HashCost, isPassword } from './password-hash.ts';

export interface LogInCredentials {
  readonly email: string;
  readonly password: string;
  /** The code of the second factor, as it was typed. */
  readonly code?: string | undefined;
  readonly address: RateLimitAddress;
  /** The cookie of a known browser, as it was sent. */
  readonly deviceCookie?: string | undefined;
}

export interface KnownUser {
  readonly id: string;
  readonly state: UserState;
}

/** The hash of no password: a comparison with it takes as long as with a real one. */
const dummyHash = ({ log2n, r, p }: HashCost): string =>
  `$scrypt$ln=${log2n},r=${r},p=${p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * The number of wrong passwords for one email, from all networks, after which each further one is followed by a delay.
 */
const OF_ONE_EMAIL = 20;
/**
 * The number of wrong passwords or links from one network, whatever the email. It allows for many people behind one
 * address.
 */
export const MAX_FAILURES_PER_NETWORK = 50;

/**
 * Finds the user with this email and this password. UNAUTHORIZED otherwise, with the same message after the same time
 * whether the email, the password or the user's status is at fault. A user with a second factor also needs a code that
 * was not used before: INVALID_PARAMS of `code` without one, which is answered only to a caller that knows the
 * password.
 *
 * RATE_LIMITED after too many failures in 15 minutes. The counts keep one caller from locking out others: 10 failures
 * of one network for one email; 50 of one network, unless it is a proxy that all callers may share; and 20 of one email
 * from all networks together, after which delays begin. A browser that logged in with this email before is bound only
 * by its own 10 failures.
 */
export async function logIn(deps: ManagementDeps, credentials: LogInCredentials): Promise<KnownUser> {
  const { email, password } = credentials;
  const failures = createPasswordFailures(deps, failureLimitsOf(deps, credentials));
  await failures.refuseTooMany();
  const found = await findUser(email, deps);
  const known = await isPassword(password, found?.state.passwordHash ?? dummyHash(deps.settings.passwordHashCost));
  if (found === null || !known || !isActive(found.state)) {
    await failures.failed();
    throw new ApiError('UNAUTHORIZED', 'The email or the password is wrong.');
  }
  // The second check makes all of many concurrent guesses fail once too many have failed.
  await failures.refuseTooMany();
  const factor = confirmedFactor(found.state);
  if (factor === null) return found;

  // A missing code is not counted as a failure: browsers show the field after this answer.
  if (credentials.code === undefined) {
    throw new ApiError('INVALID_PARAMS', 'code is required, too: of the second factor, or a recovery code.', 'code');
  }
  const proof = proofOfCode(deps, factor, credentials.code);
  if (proof === null || !(await deps.messenger.ask(user, found.id, 'use-second-factor', { proof }))) {
    await failures.failed();
    throw new ApiError('UNAUTHORIZED', 'The code is wrong, of another time or used.');
  }
  return found;
}

function failureLimitsOf(deps: ManagementDeps, { email, address, deviceCookie }: LogInCredentials): FailureLimit[] {
  const digest = emailDigest(email);
  const refuse = (key: string, allowed = MAX_PASSWORD_FAILURES): FailureLimit => ({
    key,
    beyondLimit: 'refuse',
    allowed,
  });
  const device = readDeviceCookie(deviceCookie, digest, deps);
  if (device !== null) return [refuse(`login-device:${device}`)];
  const { network, sharedBy } = address;
  return [
    refuse(`login-pair:${digest}:${network}`),
    { key: `login-email:${digest}`, beyondLimit: 'delay', allowed: OF_ONE_EMAIL },
    ...(network === sharedBy ? [] : [refuse(`login-address:${network}`, MAX_FAILURES_PER_NETWORK)]),
  ];
}

/** The digest of an email for the keys of counters, so that they hold no personal data and have one length. */
export function emailDigest(email: string): string {
  return createHash('sha256').update(emailNameId(email)).digest('base64url');
}

/** Finds the user of an email, also a disabled one; null when the email belongs to no user. */
export async function findUser(email: string, { store }: Pick<ManagementDeps, 'store'>): Promise<KnownUser | null> {
  const where = { 'borneName.nameId': emailNameId(email) };
  const { documents } = await store.query(user.kind, { where, limit: 1 });
  const [document] = documents;
  return document ? { id: document.id, state: document.state as UserState } : null;
}
