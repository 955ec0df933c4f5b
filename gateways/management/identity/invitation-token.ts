import { createHmac } from 'node:crypto';
import { credentialId } from '../../http/credential-id.ts';
import { isUuid } from '../../http/uuid.ts';

/** The number of random characters of a token: 128 bits. */
const SECRET_CHARACTERS = 22;
const UUID_CHARACTERS = 36;

/** The length of a token as the schema of a body bounds it: `<invitation id>.<22 characters>`. */
export const TOKEN_CHARACTERS = UUID_CHARACTERS + 1 + SECRET_CHARACTERS;

export interface InvitationToken {
  readonly invitationId: string;
  /** The SHA-256 (hex) of the whole token, under which it is stored. */
  readonly hash: string;
}

/**
 * Derives the token from the master secret and the request's claim, which is never disclosed, so that a repeated
 * request gets the same link.
 */
export function makeInvitationToken(invitationId: string, claimId: string, secretKey: string): string {
  const mac = createHmac('sha256', secretKey).update(`invitation:${invitationId}:${claimId}`).digest('base64url');
  return `${invitationId}.${mac.slice(0, SECRET_CHARACTERS)}`;
}

/** Parses a token; null for a text that is no invitation token. */
export function readInvitationToken(token: string): InvitationToken | null {
  const invitationId = token.slice(0, UUID_CHARACTERS);
  if (token.length !== TOKEN_CHARACTERS || token[UUID_CHARACTERS] !== '.' || !isUuid(invitationId)) return null;
  return { invitationId, hash: credentialId(token) };
}
