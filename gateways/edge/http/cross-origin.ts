import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';

const PREFLIGHT_KEPT_S = 86_400;

/**
 * For the routes of ads: lets pages of any origin call them, cookies included: players fetch VAST so, the JS tag its ads. Whose
 * page it is decides nothing here; who sells is named in the request, and what is sold there is the publisher's to tell.
 * Requests without `Origin`, nearly all of them, pass at no cost.
 *
 * A route without it is closed to scripts: `/sync`, whose pages hold the viewer's id. Files that are the same for everybody
 * (`/tag.js`, `/creative/…`) name no origin, so that caches may keep one copy of them.
 */
export function crossOrigin(exposeHeaders: readonly string[]): Middleware {
  const forAds = cors({
    credentials: true,
    exposeHeaders: [...exposeHeaders],
    allowMethods: ['GET', 'POST'],
    maxAge: PREFLIGHT_KEPT_S,
  });
  return (ctx: Context, next: Next) => (ctx.req.headers.origin === undefined ? next() : forAds(ctx, next));
}
