import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';

const PREFLIGHT_KEPT_S = 86_400;

/**
 * For the routes of ads: lets pages of any origin call them, with cookies: players fetch VAST and the JS tag fetches
 * ads this way. The page's origin decides nothing here: the request names the seller, and the publisher decides what is
 * sold there. Requests without `Origin`, which are nearly all, pass at no cost.
 *
 * A route without this middleware is closed to scripts: `/sync`, whose pages contain the viewer's id. Files that are
 * the same for every caller (`/tag.js`, `/creative/…`) name no origin, so that caches may keep one copy of them.
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
