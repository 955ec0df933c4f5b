import { readCookie } from '#edge/viewer/read-cookie';
import type { Random } from '#runtime/ports/random';
import { credentialId } from '../../http/credential-id.ts';
import type { ManagementSettings } from '../settings.ts';

/**
 * The name of the cookie that carries a session's token. Where browsers come over TLS, the prefix makes them accept it
 * from this very host alone (RFC 6265bis §4.1.3), so that neither a neighbouring host nor an attacker on the network
 * can plant a session.
 */
export function sessionCookieOf({ publicBaseUrl }: Pick<ManagementSettings, 'publicBaseUrl'>): string {
  return publicBaseUrl.startsWith('https:') ? '__Host-exchange_session' : 'exchange_session';
}

/**
 * The content of a session cookie: `<user id>.<22 random characters>`, 128 bits that cannot be guessed. The user's id
 * is not secret; it allows session and user to be found in one read.
 */
export interface SessionToken {
  readonly userId: string;
  /** The SHA-256 (hex) of the whole token, which is the session's id. */
  readonly sessionId: string;
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{22}$/;

export function makeSessionToken(userId: string, random: Random): string {
  return `${userId}.${random.id()}`;
}

/** Parses a token; null for a text that is no session token. */
export function readSessionToken(token: string): SessionToken | null {
  const userId = form.exec(token)?.[1];
  return userId === undefined ? null : { userId, sessionId: credentialId(token) };
}

/** The session token in a `Cookie` header (RFC 6265 §4.2.1); null when there is none. */
export function sessionTokenOf(
  cookieHeader: string,
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): string | null {
  return readCookie(cookieHeader, sessionCookieOf(settings), (value) => form.test(value)) ?? null;
}
