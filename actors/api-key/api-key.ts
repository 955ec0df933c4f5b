import { defineActor } from '../../runtime/actor/define-actor.ts';
import { apiKeyMessages } from './messages.ts';
import type { ApiKeyProjection } from './projection.ts';
import { ApiKeyState, apiKeyHandlers, noApiKey } from './reduce.ts';

/** An account's API key. Id: the SHA-256 (hex) of the key; the key itself is stored nowhere. */
export const apiKey = defineActor({
  kind: 'api-key',
  schemaVersion: 3,
  saving: 'eager',
  audit: { none: { 'begin-rotation': 'It changes nothing yet; the end of the old key is an entry.' } },
  state: ApiKeyState,
  messages: apiKeyMessages,
  initial: () => noApiKey,
  handlers: apiKeyHandlers,
  projection: ({ accountId, environment, expiresAtMs, revokedAt }, id): ApiKeyProjection | null =>
    accountId === '' || revokedAt !== null ? null : { id, accountId, environment, expiresAtMs },
  indexes: ['accountId'],
});
