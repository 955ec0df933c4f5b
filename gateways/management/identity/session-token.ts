import { readCookie } from '../../../edge/viewer/read-cookie.ts';
import type { Random } from '../../../runtime/ports/random.ts';
import { credentialId } from '../../http/credential-id.ts';
import type { ManagementSettings } from '../settings.ts';

/**
 * The cookie that carries a session's token. Where browsers come over TLS they take it from this very host alone, as its
 * prefix demands (RFC 6265bis §4.1.3): no host beside this one, and nobody on the way, plants a session of their choice.
 */
export function sessionCookieOf({ publicBaseUrl }: Pick<ManagementSettings, 'publicBaseUrl'>): string {
  return publicBaseUrl.startsWith('https:') ? '__Host-exchange_session' : 'exchange_session';
}

/**
 * What a session's cookie holds: `<user id>.<22 random characters>`, 128 bits that nobody can guess. The user's id is no
 * secret; it stands there so that session and user are found in one read.
 */
export interface SessionToken {
  readonly userId: string;
  /** SHA-256 (hex) of the whole token: the session's id. */
  readonly sessionId: string;
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{22}$/;

export function makeSessionToken(userId: string, random: Random): string {
  return `${userId}.${random.id()}`;
}

/** Null for what is no token of ours. */
export function readSessionToken(token: string): SessionToken | null {
  const userId = form.exec(token)?.[1];
  return userId === undefined ? null : { userId, sessionId: credentialId(token) };
}

/** The token in a `Cookie` header (RFC 6265 §4.2.1); null when there is none of ours. */
export function sessionTokenOf(
  cookieHeader: string,
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): string | null {
  return readCookie(cookieHeader, sessionCookieOf(settings), (value) => form.test(value)) ?? null;
}
