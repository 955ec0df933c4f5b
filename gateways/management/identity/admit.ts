import { ApiError } from '../../errors.ts';
import type { Access } from '../routing/route.ts';
import { type Caller, type Identity, isOperator, type SourceCaller } from './caller.ts';

export interface Admitted {
  readonly caller: Caller | null;
  readonly source: SourceCaller | null;
}

/**
 * Lets in whom the route is for: UNAUTHORIZED for nobody, FORBIDDEN for credentials of another kind.
 * @throws StoreUnavailable when it cannot be told, except where everybody is let in
 */
export function admit(access: Access, identity: Identity): Admitted {
  if (access === 'public') return { caller: null, source: null };
  if (identity.kind === 'unknown') throw identity.cause;
  if (identity.kind === 'nobody') throw new ApiError('UNAUTHORIZED');
  if (access === 'publisher-key' || access === 'dsp-key') {
    const wanted = access === 'publisher-key' ? 'publisher' : 'dsp';
    if (identity.kind === 'source' && identity.source.kind === wanted) return { caller: null, source: identity.source };
    throw new ApiError('FORBIDDEN', `Only the source key of a ${wanted} reads this.`);
  }
  if (identity.kind === 'source') throw new ApiError('FORBIDDEN', "A source key reads its own source's reports only.");
  const { caller } = identity;
  if (access !== 'account' && caller.by.kind !== 'session') {
    throw new ApiError('FORBIDDEN', 'This needs the session of a user (POST /api/auth/login), not an API key.');
  }
  if (access === 'operator' && !isOperator(caller)) {
    throw new ApiError('FORBIDDEN', 'This is for operators.');
  }
  return { caller, source: null };
}
