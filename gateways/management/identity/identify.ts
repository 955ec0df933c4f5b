import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';
import type { ManagementParts } from '../parts.ts';
import { findApiKey } from './api-keys.ts';
import { type Credential, type Identity, nobody } from './caller.ts';

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Who asks. A request without credentials is nobody's; throws UNAUTHORIZED for credentials that are not valid,
 * INVALID_PARAMS for a sandbox switch that is neither true nor false, FORBIDDEN for a partner that is not the account's.
 */
export async function identify(ctx: Context, parts: ManagementParts): Promise<Identity> {
  const given = ctx.get('X-API-Key');
  if (given === '') return nobody;
  const key = await findApiKey(given, parts);
  if (key === null) throw new ApiError('UNAUTHORIZED');
  const by = { kind: 'api-key', keyId: key.id } as const;
  return accountIdentity(ctx, key.accountId, by, key.environment === 'sandbox');
}

function accountIdentity(ctx: Context, accountId: string, by: Credential, sandboxKey: boolean): Identity {
  const byHeader = readSwitch(ctx.get('X-Sandbox') || undefined, 'X-Sandbox');
  const byQuery = readSwitch(ctx.query.sandbox, 'sandbox');
  const sandbox = sandboxKey || byHeader || byQuery;
  const partnerId = readPartner(ctx.get('X-User-Partner-ID'));
  const scope = { accountId, partnerId, sandboxOnly: sandbox };
  return { kind: 'account', caller: { accountId, partnerId, sandbox, sandboxKey, scope, by } };
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
