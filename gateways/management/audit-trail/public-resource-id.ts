import { publicKeyId } from '../identity/api-keys.ts';
import { publicSessionId } from '../identity/sessions.ts';

/** The id by which the API speaks of an actor: keys and sessions are kept under hashes of theirs. */
export function publicResourceId(kind: string, id: string): string {
  if (kind === 'api-key') return publicKeyId(id);
  return kind === 'session' ? publicSessionId(id) : id;
}
