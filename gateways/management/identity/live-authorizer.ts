import type { Context } from 'koa';
import { apiKey } from '#actors/api-key/api-key';
import { type ApiKeyProjection, hasExpired } from '#actors/api-key/projection';
import { StoreUnavailable } from '#runtime/actor/errors';
import { ApiError } from '../../errors.ts';
import { credentialId } from '../../http/credential-id.ts';
import { presentedKey } from '../../http/presented-key.ts';
import { type LiveCredential, nameOfCredential } from '../../live/credential.ts';
import type { LiveScope } from '../../live/live-scope.ts';
import type { ManagementDeps } from '../deps.ts';
import { originRules } from '../shell/own-origins.ts';
import { loadApiKeys } from './api-keys.ts';
import { authorize } from './authorize.ts';
import type { Identity } from './caller.ts';
import { isCrossSiteWebSocket } from './cross-site-requests.ts';
import { endedSessions } from './sessions.ts';

/** Admits callers to the metrics WebSocket: an account's API key, or a user's session on a page of a trusted origin. */
export function createLiveAuthorizer({ settings }: Pick<ManagementDeps, 'settings'>) {
  const rules = originRules(settings);
  return (ctx: Context): { readonly scope: LiveScope; readonly credential: LiveCredential } => {
    const { caller } = authorize('account', ctx.state.identity as Identity);
    const { accountId, partnerId, sandbox, by } = caller!;
    if (by.kind === 'session' && isCrossSiteWebSocket({ header: (name) => ctx.get(name) }, rules)) {
      throw new ApiError('FORBIDDEN', 'Another site may not do this for its user.');
    }
    const credential: LiveCredential =
      by.kind === 'session'
        ? { kind: 'session', sessionId: by.sessionId, userId: by.userId }
        : { kind: 'api-key', hash: credentialId(presentedKey(ctx.req.headers)!) };
    return { scope: { accountId, partnerId, sandbox }, credential };
  };
}

/**
 * The names of credentials that have ended: keys that were revoked, replaced or have expired, and sessions that were
 * ended or have been idle for a day. The replica, which lags by a moment, decides about keys; the store decides about
 * keys that the replica does not know as valid. Null while the store cannot be read.
 */
export async function endedCredentials(
  credentials: readonly LiveCredential[],
  deps: Pick<ManagementDeps, 'replica' | 'store' | 'clock' | 'settings'>,
): Promise<ReadonlySet<string> | null> {
  const nowMs = deps.clock.now();
  const keys = credentials.flatMap((one) => (one.kind === 'api-key' ? [one.hash] : []));
  const isKey = (projection: ApiKeyProjection | null | undefined) =>
    projection !== null && projection !== undefined && !hasExpired(projection, nowMs);
  const doubtful = keys.filter((hash) => !isKey(deps.replica.get<ApiKeyProjection>(apiKey.kind, hash)));
  try {
    const saved = await loadApiKeys(doubtful, deps.store);
    const endedKeys = doubtful.filter((_, index) => !isKey(saved[index]));
    const sessions = credentials.filter((one) => one.kind === 'session');
    const endedIds = new Set(await endedSessions(deps, sessions));
    return new Set([
      ...endedKeys.map((hash) => nameOfCredential({ kind: 'api-key', hash })),
      ...sessions.filter(({ sessionId }) => endedIds.has(sessionId)).map(nameOfCredential),
    ]);
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
