import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { ManagementSettings } from '../settings.ts';

const yearS = 31_536_000;

/**
 * Forbids browsers everything with an answer that is not a page; a route that answers a page sets its own headers. No
 * cache may store an answer unless its route allows it.
 */
export function securityHeaders({ publicBaseUrl }: Pick<ManagementSettings, 'publicBaseUrl'>): Middleware {
  const behindTls = publicBaseUrl.startsWith('https:');
  const guard = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: behindTls ? { maxAge: yearS, includeSubDomains: false } : false,
  });
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return guard(ctx, next);
  };
}
