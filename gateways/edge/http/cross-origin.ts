import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';

const PREFLIGHT_KEPT_S = 86_400;

/** Files, the same for everybody: they name no origin, so that caches may keep one copy of them. */
const PUBLIC_FILE = /^\/(?:tag\.js$|creative\/)/;

/**
 * Lets pages of any origin call the edge, cookies included: players fetch VAST so, the JS tag its ads. Whose page it is
 * decides nothing here; who sells is named in the request, and what is sold there is the publisher's to tell.
 * Requests without `Origin`, nearly all of them, pass at no cost.
 */
export function crossOrigin(exposeHeaders: readonly string[]): Middleware {
  const forAds = cors({
    credentials: true,
    exposeHeaders: [...exposeHeaders],
    allowMethods: ['GET', 'POST'],
    maxAge: PREFLIGHT_KEPT_S,
  });
  return (ctx: Context, next: Next) => {
    if (ctx.req.headers.origin === undefined || PUBLIC_FILE.test(ctx.path)) return next();
    return forAds(ctx, next);
  };
}
