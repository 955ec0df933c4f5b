import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { ManagementSettings } from '../settings.ts';

const yearS = 31_536_000;

/**
 * What browsers may do with an answer: nothing, for it is no page. A route that is one says otherwise by its own
 * headers. Answers are not kept by anybody either, unless their route says so.
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
