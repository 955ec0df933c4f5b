import { ApiError } from '../../errors.ts';
import type { Access } from '../routing/route.ts';
import { type Caller, type Identity, isOperator, type Login, type SourceCaller } from './caller.ts';

export interface Authorized {
  readonly caller: Caller | null;
  readonly source: SourceCaller | null;
  /** The login, on routes that admit any user's session. */
  readonly login: Login | null;
}

const unauthenticated: Authorized = { caller: null, source: null, login: null };

/**
 * Admits the callers that the route is for: UNAUTHORIZED for a request without credentials, FORBIDDEN for credentials
 * of another kind.
 * @throws StoreUnavailable when the credentials cannot be checked, except on routes that admit every caller
 */
export function authorize(access: Access, identity: Identity): Authorized {
  if (access === 'public') return unauthenticated;
  if (identity.kind === 'unknown') throw identity.cause;
  if (identity.kind === 'nobody') throw new ApiError('UNAUTHORIZED');
  switch (access) {
    case 'login':
      return { ...unauthenticated, login: loginOf(identity) };
    case 'publisher-key':
    case 'publisher-session':
      return authorizeSource('publisher', access === 'publisher-session', identity);
    case 'dsp-key':
    case 'dsp-session':
      return authorizeSource('dsp', access === 'dsp-session', identity);
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
  return { ...unauthenticated, caller };
}

type KnownIdentity = Extract<Identity, { kind: 'account' | 'source' }>;

function authorizeSource(wanted: SourceCaller['kind'], sessionAlone: boolean, identity: KnownIdentity): Authorized {
  if (identity.kind !== 'source' || identity.source.kind !== wanted) {
    const who = sessionAlone ? 'a user' : 'the source key, or a user,';
    throw new ApiError('FORBIDDEN', `Only ${who} of a ${wanted} may do this.`);
  }
  if (sessionAlone && identity.source.by.kind !== 'session') throw needsSession();
  return { ...unauthenticated, source: identity.source };
}

function loginOf(identity: KnownIdentity): Login {
  const { accountId, by } = identity.kind === 'account' ? identity.caller : identity.source;
  if (by.kind !== 'session') throw needsSession();
  return { accountId, by };
}

function needsSession(): ApiError {
  return new ApiError('FORBIDDEN', 'This needs the session of a user (POST /api/auth/login), not a key.');
}
