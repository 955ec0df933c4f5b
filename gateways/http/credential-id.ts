import { createHash } from 'node:crypto';

/**
 * The id under which a key or a session's token is kept: its SHA-256, hex. Credentials are random and long, so that their
 * hash leads to nobody's; the API and the edges find them by the same one.
 */
export function credentialId(credential: string): string {
  return createHash('sha256').update(credential).digest('hex');
}
