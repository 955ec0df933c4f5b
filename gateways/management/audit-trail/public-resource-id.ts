import { publicKeyId } from '../identity/api-keys.ts';
import { publicSessionId } from '../identity/sessions.ts';

/** The id of an actor in the API. Keys and sessions are stored under hashes, which the API does not show. */
export function publicResourceId(kind: string, id: string): string {
  if (kind === 'api-key') return publicKeyId(id);
  return kind === 'session' ? publicSessionId(id) : id;
}
