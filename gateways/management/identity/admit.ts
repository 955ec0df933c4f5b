import { ApiError } from '../../errors.ts';
import type { Access } from '../routing/route.ts';
import { type Caller, type Identity, isOperator, type Login, type SourceCaller } from './caller.ts';

export interface Admitted {
  readonly caller: Caller | null;
  readonly source: SourceCaller | null;
  /** Where any user's session is let in: whose it is. */
  readonly login: Login | null;
}

const nobodyInParticular: Admitted = { caller: null, source: null, login: null };

/**
 * Lets in whom the route is for: UNAUTHORIZED for nobody, FORBIDDEN for credentials of another kind.
 * @throws StoreUnavailable when it cannot be told, except where everybody is let in
 */
export function admit(access: Access, identity: Identity): Admitted {
  if (access === 'public') return nobodyInParticular;
  if (identity.kind === 'unknown') throw identity.cause;
  if (identity.kind === 'nobody') throw new ApiError('UNAUTHORIZED');
  switch (access) {
    case 'login':
      return { ...nobodyInParticular, login: loginOf(identity) };
    case 'publisher-key':
    case 'publisher-session':
      return admitSource('publisher', access === 'publisher-session', identity);
    case 'dsp-key':
    case 'dsp-session':
      return admitSource('dsp', access === 'dsp-session', identity);
  }
  if (identity.kind === 'source') {
    const { by } = identity.source;
    const what = by.kind === 'key' ? 'A source key reads' : 'Users of a source read';
    throw new ApiError('FORBIDDEN', `${what} that source and nothing else.`);
  }
  const { caller } = identity;
  if (access !== 'account' && caller.by.kind !== 'session') throw needsSession();
  if (access === 'operator' && !isOperator(caller)) {
    throw new ApiError('FORBIDDEN', 'This is for operators.');
  }
  return { ...nobodyInParticular, caller };
}

type Known = Extract<Identity, { kind: 'account' | 'source' }>;

function admitSource(wanted: SourceCaller['kind'], sessionAlone: boolean, identity: Known): Admitted {
  if (identity.kind !== 'source' || identity.source.kind !== wanted) {
    const who = sessionAlone ? 'a user' : 'the source key, or a user,';
    throw new ApiError('FORBIDDEN', `Only ${who} of a ${wanted} may do this.`);
  }
  if (sessionAlone && identity.source.by.kind !== 'session') throw needsSession();
  return { ...nobodyInParticular, source: identity.source };
}

function loginOf(identity: Known): Login {
  const { accountId, by } = identity.kind === 'account' ? identity.caller : identity.source;
  if (by.kind !== 'session') throw needsSession();
  return { accountId, by };
}

function needsSession(): ApiError {
  return new ApiError('FORBIDDEN', 'This needs the session of a user (POST /api/auth/login), not a key.');
}
