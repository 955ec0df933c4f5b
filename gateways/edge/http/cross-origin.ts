import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';

const PREFLIGHT_KEPT_S = 86_400;

/**
 * Files, the same for everybody: they name no origin, so that caches may keep one copy of them. And `/sync`, whose pages hold
 * the viewer's id: frames may show them, no script of another origin may read them.
 */
const NOT_FOR_SCRIPTS = /^\/(?:tag\.js$|creative\/|sync(?:\/|$))/;

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
    if (ctx.req.headers.origin === undefined || NOT_FOR_SCRIPTS.test(ctx.path)) return next();
    return forAds(ctx, next);
  };
}
