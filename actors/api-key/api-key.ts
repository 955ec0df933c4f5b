import { defineActor } from '../../runtime/actor/define-actor.ts';
import { apiKeyMessages } from './messages.ts';
import { ApiKeyState, apiKeyHandlers, noApiKey } from './reduce.ts';
import type { ApiKeyView } from './view.ts';

/** An account's key to the API. Id: the SHA-256 (hex) of the key; the key itself is kept nowhere. */
export const apiKey = defineActor({
  kind: 'api-key',
  schemaVersion: 3,
  saving: 'eager',
  state: ApiKeyState,
  messages: apiKeyMessages,
  initial: () => noApiKey,
  handlers: apiKeyHandlers,
  view: ({ accountId, environment, expiresAtMs, revokedAt }, id): ApiKeyView | null =>
    accountId === '' || revokedAt !== null ? null : { id, accountId, environment, expiresAtMs },
  indexes: ['accountId'],
});
