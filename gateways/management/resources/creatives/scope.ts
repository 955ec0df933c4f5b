import { account } from '#actors/account/account';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import type { ReviewScope, ReviewScopeKind } from '#exchange/creative/review-scope';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { type AuditedCaller, type Caller, isOperator, type SourceCaller } from '../../identity/caller.ts';
import { seesAll } from '../auctions/perspective.ts';
import { loadReached } from './visible.ts';

/** A scope that the caller may decide in, and what decisions keep of it. */
export interface DecidedScope {
  readonly scope: ReviewScope;
  /** '' for the exchange. */
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly sandbox: boolean;
}

/**
 * The scope that a request names, in which the caller may decide: FORBIDDEN where it may not, and an error of `code`
 * for a scope that is not there.
 */
export async function scopeToDecideIn(
  parts: Pick<ManagementDeps, 'store'>,
  caller: Caller,
  { scope: kind, scope_id: id = '' }: { readonly scope: ReviewScopeKind; readonly scope_id?: string | undefined },
  code: 'VALIDATION_ERROR' | 'INVALID_PARAMS' = 'VALIDATION_ERROR',
): Promise<DecidedScope> {
  const unknown = (what: string) => new ApiError(code, `scope_id does not name ${what}.`, 'scope_id');
  const wide = { partnerId: null, sandbox: false };
  switch (kind) {
    case 'exchange':
      if (!isOperator(caller)) throw new ApiError('FORBIDDEN', 'Only operators decide for the whole exchange.');
      assertWide(caller, 'the whole exchange');
      if (id !== '') throw new ApiError(code, 'scope_id is empty for the exchange.', 'scope_id');
      return { scope: { kind, id: '' }, accountId: '', ...wide };
    case 'account': {
      assertWide(caller, 'the whole account');
      const accountId = id === '' ? caller.accountId : id;
      if (accountId !== caller.accountId && !(seesAll(caller) && (await accountExists(parts, accountId)))) {
        throw unknown('the account');
      }
      return { scope: { kind, id: accountId }, accountId, ...wide };
    }
    case 'pool': {
      // Pools belong to the whole account: to all of its partners, live and sandbox alike.
      const everywhere = { ...caller, scope: { ...caller.scope, partnerId: null, sandboxOnly: false } };
      const found = await loadReached<PoolState>(parts, pool.kind, id, everywhere);
      if (found === null) throw unknown('a pool');
      assertWide(caller, 'a pool, which sources of all partners use live');
      return { scope: { kind, id }, accountId: found.accountId, ...wide };
    }
    case 'publisher': {
      const found = await loadReached<PublisherState>(parts, publisher.kind, id, caller);
      if (found === null) throw unknown('a supply source');
      const { accountId, partnerId, sandbox } = found;
      return { scope: { kind, id }, accountId, partnerId, sandbox };
    }
  }
}

/** The scope of the supply source whose people ask. */
export function scopeOfSource(
  { id, accountId }: SourceCaller,
  { partnerId, sandbox }: Pick<PublisherState, 'partnerId' | 'sandbox'>,
): DecidedScope {
  return { scope: { kind: 'publisher', id }, accountId, partnerId, sandbox };
}

/** Whoever decides, as the audit trail names them. */
export function deciderOf({ by }: Pick<AuditedCaller, 'by'>): string {
  return by.kind === 'session' ? `user/${by.userId}` : `api-key/${by.keyId}`;
}

/** The name of one of a source's people, who have sessions; keys of sources only read. */
export function deciderOfSource({ id, kind, by }: SourceCaller): string {
  return by.kind === 'key' ? `${kind}/${id}` : `user/${by.userId}`;
}

/** FORBIDDEN for a call in the sandbox or for a partner, which may change nothing beyond that context. */
function assertWide({ sandbox, partnerId }: Caller, what: string): void {
  if (sandbox) throw new ApiError('FORBIDDEN', `A call in the sandbox cannot decide for ${what}.`);
  if (partnerId !== null) throw new ApiError('FORBIDDEN', `A call for a partner cannot decide for ${what}.`);
}

async function accountExists({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<boolean> {
  const [document] = await store.load([{ kind: account.kind, id }]);
  return document !== null && document !== undefined && !document.deleted;
}
