import { createHash } from 'node:crypto';
import { apiKey } from '../../../actors/api-key/api-key.ts';
import type { ApiKeyState } from '../../../actors/api-key/reduce.ts';
import type { ApiKeyView } from '../../../actors/api-key/view.ts';
import type { ManagementParts } from '../parts.ts';

const keyForm = /^pk_(live|sandbox)_[\x21-\x7e]{1,200}$/;

/** The id under which a key is kept: SHA-256, hex. */
export function apiKeyId(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The account key `key`; null when it is none of ours, or not any more. */
export async function findApiKey(key: string, { replica, store }: ManagementParts): Promise<ApiKeyView | null> {
  if (!keyForm.test(key)) return null;
  const id = apiKeyId(key);
  const known = replica.get<ApiKeyView>(apiKey.kind, id);
  if (known !== undefined) return known;
  // The replica follows within a moment; whoever has just been given a key must be able to use it at once.
  const [document] = await store.load([{ kind: apiKey.kind, id }]);
  if (!document || document.deleted) return null;
  return apiKey.view?.(document.state as ApiKeyState, id) ?? null;
}
