import Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { ManagementDeps } from '../deps.ts';
import type { AnyRoute } from './route.ts';
import { serveRoute } from './serve-route.ts';

/** Serves declared routes, each by its method and path. */
export function apiRouter(routes: readonly AnyRoute[], parts: ManagementDeps): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) router.register(route.path, [route.method], serveRoute(route, parts));
  return router;
}

/**
 * `Allow` names the methods of a path's own routes: `/api/invitations/accept` is a route, and no id that `/api/invitations/{id}` could
 * have. After `allowedMethods`, which looks at what matched once this has run.
 */
export function ownMethodsAlone(ctx: Context, next: Next): Promise<void> {
  const matched: readonly { readonly paramNames: readonly unknown[] }[] = ctx.matched ?? [];
  const least = Math.min(...matched.map(({ paramNames }) => paramNames.length));
  ctx.matched = matched.filter(({ paramNames }) => paramNames.length === least);
  return next();
}
