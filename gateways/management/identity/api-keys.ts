import { createHash, timingSafeEqual } from 'node:crypto';
import { apiKey } from '#actors/api-key/api-key';
import { type ApiKeyProjection, hasExpired } from '#actors/api-key/projection';
import type { ApiKeyState } from '#actors/api-key/reduce';
import { StoreUnavailable } from '#runtime/actor/errors';
import type { StateStore } from '#runtime/ports/store';
import { credentialId } from '../../http/credential-id.ts';
import type { ManagementDeps } from '../deps.ts';
import { uuidOf } from './request-ids.ts';

const keyForm = /^pk_(live|sandbox)_[\x21-\x7e]{1,200}$/;

/** An API key as it is stored. */
export interface StoredApiKey {
  /** The SHA-256 of the key, hex. */
  readonly hash: string;
  readonly state: ApiKeyState;
}

/** The id of a key in the API, a UUID, from which neither the key nor its hash can be derived. */
export function publicKeyId(hash: string): string {
  return uuidOf(createHash('sha256').update(`api-key:${hash}`).digest());
}

/**
 * Finds the account key `key`; null when the exchange never issued it or it has ended. Every use reads the saved state,
 * so that a revoked key ends in every process at once; while the store is away, the replica decides, which lags by a
 * moment.
 */
export async function findApiKey(
  key: string,
  { store, replica, clock }: Pick<ManagementDeps, 'store' | 'replica' | 'clock'>,
): Promise<ApiKeyProjection | null> {
  if (!keyForm.test(key)) return null;
  const hash = credentialId(key);
  const saved = loadApiKeys([hash], store).then(([key]) => key ?? null);
  const projection = await saved.catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    return replica.get<ApiKeyProjection>(apiKey.kind, hash) ?? null;
  });
  if (projection === null || hasExpired(projection, clock.now())) return null;
  return timingSafeEqual(Buffer.from(projection.id), Buffer.from(hash)) ? projection : null;
}

/**
 * Loads the keys with these hashes; null for hashes of no key and of keys that have ended. An expired key is returned
 * with its expiry.
 */
export async function loadApiKeys(hashes: readonly string[], store: StateStore): Promise<(ApiKeyProjection | null)[]> {
  const documents = await store.load(hashes.map((id) => ({ kind: apiKey.kind, id })));
  return documents.map((document) =>
    !document || document.deleted ? null : (apiKey.projection?.(document.state as ApiKeyState, document.id) ?? null),
  );
}

/** Loads all keys that the account ever had, the oldest first. */
export async function apiKeysOf(accountId: string, { store }: Pick<ManagementDeps, 'store'>): Promise<StoredApiKey[]> {
  const { documents } = await store.query(apiKey.kind, { where: { accountId }, orderBy: 'createdAt' });
  return documents.map(({ id, state }) => ({ hash: id, state: state as ApiKeyState }));
}
