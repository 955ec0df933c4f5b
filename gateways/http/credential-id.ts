import { createHash } from 'node:crypto';

/**
 * The id under which an API key or a session token is stored: its SHA-256, in hex. Credentials are long and random, so
 * the hash does not reveal them. The API and the edges use the same id.
 */
export function credentialId(credential: string): string {
  return createHash('sha256').update(credential).digest('hex');
}
