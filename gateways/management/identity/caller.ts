import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Scope } from '../../../actors/account/scope.ts';
import { apiKey } from '../../../actors/api-key/api-key.ts';
import type { ApiKeyState } from '../../../actors/api-key/reduce.ts';
import type { ApiKeyView } from '../../../actors/api-key/view.ts';
import { ApiError } from '../../errors.ts';
import type { ManagementParts } from '../parts.ts';

/** Who asks, and in which context (specification, "Authentication"). */
export interface Caller {
  readonly accountId: string;
  /** The partner that `X-User-Partner-ID` names; null sees all partners of the account. */
  readonly partnerId: string | null;
  /** The sandbox context: a sandbox key, `X-Sandbox: true` or `sandbox=true`. */
  readonly sandbox: boolean;
  /** A key that can never do anything live. */
  readonly sandboxKey: boolean;
  readonly scope: Scope;
}

const keyForm = /^pk_(live|sandbox)_[\x21-\x7e]{1,200}$/;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id under which a key is kept: SHA-256, hex. */
export function apiKeyId(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Throws UNAUTHORIZED without a valid key, INVALID_PARAMS for a sandbox switch that is neither true nor false. */
export async function identifyCaller(ctx: Context, parts: ManagementParts): Promise<Caller> {
  const key = await findKey(ctx.get('X-API-Key'), parts);
  if (key === null) throw new ApiError('UNAUTHORIZED');
  const sandboxKey = key.environment === 'sandbox';
  const byHeader = readSwitch(ctx.get('X-Sandbox') || undefined, 'X-Sandbox');
  const byQuery = readSwitch(ctx.query.sandbox, 'sandbox');
  const sandbox = sandboxKey || byHeader || byQuery;
  const partnerId = readPartner(ctx.get('X-User-Partner-ID'));
  const { accountId } = key;
  return { accountId, partnerId, sandbox, sandboxKey, scope: { accountId, partnerId, sandboxOnly: sandbox } };
}

async function findKey(key: string, { replica, store }: ManagementParts): Promise<ApiKeyView | null> {
  if (!keyForm.test(key)) return null;
  const id = apiKeyId(key);
  const known = replica.get<ApiKeyView>(apiKey.kind, id);
  if (known !== undefined) return known;
  // The replica follows within a moment; whoever has just been given a key must be able to use it at once.
  const [document] = await store.load([{ kind: apiKey.kind, id }]);
  if (!document || document.deleted) return null;
  return apiKey.view?.(document.state as ApiKeyState, id) ?? null;
}

function readSwitch(value: string | string[] | undefined, name: string): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new ApiError('INVALID_PARAMS', `${name} must be true or false.`, name);
}

function readPartner(header: string): string | null {
  if (header === '') return null;
  if (uuidForm.test(header)) return header.toLowerCase();
  throw new ApiError('FORBIDDEN', 'X-User-Partner-ID does not name a partner of this account.');
}
