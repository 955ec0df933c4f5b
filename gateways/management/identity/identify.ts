import { StoreUnavailable } from '#runtime/actor/errors';
import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';
import { originRules } from '../shell/own-origins.ts';
import { findApiKey, publicKeyId } from './api-keys.ts';
import { anonymousIdentity, type Credential, type Identity, type UserSession } from './caller.ts';
import { isCrossSiteForgery, type RequestHead } from './cross-site-requests.ts';
import { findPartner } from './find-partner.ts';
import { createKeyUseRecorder } from './key-use-recorder.ts';
import { sessionTokenOf } from './session-token.ts';
import { findSession } from './sessions.ts';
import { findSource, isSourceKey, sourceOfUser } from './source-keys.ts';

/** The parts of a request that identify its caller. Every kind of request has them, also an upgrade to a WebSocket. */
export interface RequestCredentials extends RequestHead {
  /** The key that the request carries as `X-API-Key` or a bearer token; '' without one. */
  readonly key: string;
  /** The `sandbox` query parameter. */
  readonly sandboxParam: string | readonly string[] | undefined;
}

export type Identify = (credentials: RequestCredentials) => Promise<Identity>;

/**
 * Creates the function that identifies the caller of a request: by the key of an account or a source, else by the
 * cookie of the session of an account's or a source's user. A request without credentials, or with a session that has
 * ended, is anonymous. So is a request with an invalid key; only routes that require a key refuse it. Throws
 * INVALID_PARAMS for a sandbox switch that is neither true nor false, and FORBIDDEN for a partner that is not the
 * account's and for a change that a browser sends under a session on another site's behalf. While the store is away,
 * credentials that only the store knows identify an `unknown` caller, who may still call public routes.
 */
export function createIdentify(deps: ManagementDeps): Identify {
  const noteUse = createKeyUseRecorder(deps);
  const rules = originRules(deps.settings);
  return async (credentials) => {
    const given = credentials.key;
    const token = given === '' ? sessionTokenOf(credentials.header('Cookie'), deps.settings) : null;
    try {
      if (given !== '') return await byKey(given, credentials);
      return token === null ? anonymousIdentity : await bySession(token, credentials);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (token !== null) refuseForged(credentials);
      return { kind: 'unknown', cause: error };
    }
  };

  async function bySession(token: string, credentials: RequestCredentials): Promise<Identity> {
    const session = await findSession(deps, token);
    if (session === null) return anonymousIdentity;
    refuseForged(credentials);
    const { sessionId, userId, endsAtMs, renewed } = session;
    const { accountId, role } = session.user;
    const renewedToken = renewed ? token : null;
    const byUser: UserSession = { kind: 'session', sessionId, userId, endsAtMs };
    if (role === 'source') {
      const source = await sourceOfUser(session.user, byUser, deps);
      return source === null ? anonymousIdentity : { kind: 'source', source, renewedToken };
    }
    const by: Credential = { ...byUser, role };
    return accountIdentity(credentials, deps, { accountId, by, sandboxKey: false, renewedToken });
  }

  function refuseForged(credentials: RequestCredentials): void {
    if (isCrossSiteForgery(credentials, rules))
      throw new ApiError('FORBIDDEN', 'Another site may not do this for its user.');
  }

  async function byKey(given: string, credentials: RequestCredentials): Promise<Identity> {
    if (isSourceKey(given)) {
      const source = await findSource(given, deps);
      if (source === null) return anonymousIdentity;
      return { kind: 'source', source, renewedToken: null };
    }
    const key = await findApiKey(given, deps);
    if (key === null) return anonymousIdentity;
    noteUse(key.id);
    const { accountId, environment } = key;
    const by: Credential = { kind: 'api-key', keyId: publicKeyId(key.id) };
    return accountIdentity(credentials, deps, {
      accountId,
      by,
      sandboxKey: environment === 'sandbox',
      renewedToken: null,
    });
  }
}

interface AccountCredentials {
  readonly accountId: string;
  readonly by: Credential;
  readonly sandboxKey: boolean;
  readonly renewedToken: string | null;
}

async function accountIdentity(
  credentials: RequestCredentials,
  deps: ManagementDeps,
  known: AccountCredentials,
): Promise<Identity> {
  const { accountId, by, sandboxKey, renewedToken } = known;
  const byHeader = readSwitch(credentials.header('X-Sandbox') || undefined, 'X-Sandbox');
  const byQuery = readSwitch(credentials.sandboxParam, 'sandbox');
  const sandbox = sandboxKey || byHeader || byQuery;
  const partnerId = await readPartner(credentials.header('X-User-Partner-ID'), accountId, deps);
  const scope = { accountId, partnerId, sandboxOnly: sandbox };
  return { kind: 'account', caller: { accountId, partnerId, sandbox, sandboxKey, scope, by }, renewedToken };
}

function readSwitch(value: string | readonly string[] | undefined, name: string): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new ApiError('INVALID_PARAMS', `${name} must be true or false.`, name);
}

async function readPartner(header: string, accountId: string, deps: ManagementDeps): Promise<string | null> {
  if (header === '') return null;
  const id = await findPartner(header, accountId, deps);
  if (id === null) throw new ApiError('FORBIDDEN', 'X-User-Partner-ID does not name a partner of this account.');
  return id;
}
