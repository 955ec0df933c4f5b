import { createHmac } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { hasExpired } from '#actors/api-key/projection';
import type { ApiKeyState } from '#actors/api-key/reduce';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { apiKeysOf, publicKeyId, type StoredApiKey } from '../../identity/api-keys.ts';

export const Environment = Type.Enum(['live', 'sandbox'], {
  description: 'A `sandbox` key, `pk_sandbox_…`, can do nothing live.',
});
type Environment = Static<typeof Environment>;

const keyFields = {
  id: Uuid,
  name: Type.String(),
  environment: Environment,
  hint: Type.String({ description: 'The first characters of the key, to know it by.' }),
  created_at: Timestamp,
  expires_at: Nullable(Type.String({ format: 'date-time', description: 'From then on it is no key any more.' })),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'To the minute or so.' })),
  revoked_at: Nullable(Timestamp),
};

/** An API key as the API shows it after its creation. */
export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

/** An API key with its secret, which is shown once. */
export const ApiKeyWithSecret = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: 'Shown this once: it is kept nowhere in clear.' }),
  },
  { title: 'MadeApiKey' },
);

export const KeyParams = Type.Object({ id: Uuid });

export function showKey({ hash, state }: StoredApiKey): ApiKey {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: publicKeyId(hash),
    name: state.name,
    environment: state.environment,
    hint: state.hint,
    created_at: state.createdAt,
    expires_at: at(state.expiresAtMs),
    last_used_at: at(state.lastUsedAtMs),
    revoked_at: state.revokedAt,
  };
}

const hintCharacters = 4;
const randomCharacters = 32;

export interface NewKey {
  readonly key: string;
  readonly hint: string;
}

/** Derives a key from the master secret and the request, so that a repeated request gets the same key. */
export function makeKey(environment: Environment, requestId: string, secretKey: string): NewKey {
  const prefix = `pk_${environment}_`;
  const digest = createHmac('sha256', secretKey).update(`api-key:${environment}:${requestId}`).digest('base64url');
  const key = prefix + digest.slice(0, randomCharacters);
  return { key, hint: key.slice(0, prefix.length + hintCharacters) };
}

/** Loads a key of the account by its id in the API, whatever its status; NOT_FOUND for all others. */
export async function loadKey(deps: ManagementDeps, id: string, accountId: string): Promise<StoredApiKey> {
  const found = (await apiKeysOf(accountId, deps)).find(({ hash }) => publicKeyId(hash) === id);
  if (!found) throw new ApiError('NOT_FOUND', 'The API key does not exist.');
  return found;
}

export function hasEnded(state: ApiKeyState, nowMs: number): boolean {
  return state.revokedAt !== null || hasExpired(state, nowMs);
}
