import type { Context, Middleware } from 'koa';
import { networkOf } from '../../http/network-of.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Identity } from '../identity/caller.ts';
import { routeOf } from './matched-route.ts';

/**
 * Writes one line at `info` for each answer, after it was sent or cut short. The line holds no credential, no body, no
 * value of a query and no path but that of a route, since unmatched paths may hold anything. Addresses are cut to a /24
 * or a /48.
 */
export function logAccess({ logger, clock }: Pick<ManagementDeps, 'logger' | 'clock'>): Middleware {
  return async (ctx: Context, next) => {
    const startedMs = clock.monotonic();
    // A closed socket no longer knows its address.
    const address = networkOf(ctx.ip, { v4: 24, v6: 48 });
    ctx.res.once('close', () => {
      const answered = ctx.res.writableFinished;
      logger.info(
        {
          requestId: ctx.state.requestId,
          method: ctx.method,
          route: routeOf(ctx),
          status: ctx.res.statusCode,
          durationMs: Math.round((clock.monotonic() - startedMs) * 10) / 10,
          bytes: Number(ctx.res.getHeader('Content-Length') ?? 0),
          address,
          ...identityFields(ctx.state.identity as Identity | undefined),
        },
        answered ? 'answered' : 'cut short',
      );
    });
    await next();
  };
}

function identityFields(identity: Identity | undefined): object {
  switch (identity?.kind) {
    case 'account': {
      const { accountId, sandbox, by } = identity.caller;
      const callerFields = { account: accountId, sandbox, credential: by.kind };
      return by.kind === 'api-key' ? { ...callerFields, key: by.keyId } : { ...callerFields, user: by.userId };
    }
    case 'source': {
      const { kind, id, accountId, sandbox } = identity.source;
      return { account: accountId, sandbox, credential: `${kind}-key`, source: id };
    }
    default:
      return { credential: null };
  }
}
