import { createHmac } from 'node:crypto';
import { credentialId } from '../../http/credential-id.ts';
import { isUuid } from '../../http/uuid.ts';

/** Random characters of a token: 128 bits. */
const SECRET_CHARACTERS = 22;
const UUID_CHARACTERS = 36;

/** A token as it comes, and as the schema of a body knows it: `<invitation id>.<22 characters>`. */
export const TOKEN_CHARACTERS = UUID_CHARACTERS + 1 + SECRET_CHARACTERS;

export interface InvitationToken {
  readonly invitationId: string;
  /** SHA-256 (hex) of the whole token, by which it is kept. */
  readonly hash: string;
}

/**
 * It follows from the master secret and the request's claim, which nobody is told, so that the same request again brings the same
 * link.
 */
export function makeInvitationToken(invitationId: string, claimId: string, secretKey: string): string {
  const mac = createHmac('sha256', secretKey).update(`invitation:${invitationId}:${claimId}`).digest('base64url');
  return `${invitationId}.${mac.slice(0, SECRET_CHARACTERS)}`;
}

/** Null for what is no token of ours. */
export function readInvitationToken(token: string): InvitationToken | null {
  const invitationId = token.slice(0, UUID_CHARACTERS);
  if (token.length !== TOKEN_CHARACTERS || token[UUID_CHARACTERS] !== '.' || !isUuid(invitationId)) return null;
  return { invitationId, hash: credentialId(token) };
}
