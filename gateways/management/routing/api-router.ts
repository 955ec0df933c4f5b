import Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { ManagementDeps } from '../deps.ts';
import type { AnyRoute } from './route.ts';
import { serveRoute } from './serve-route.ts';

/** Serves the declared routes, each by its method and path. */
export function apiRouter(routes: readonly AnyRoute[], deps: ManagementDeps): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) router.register(route.path, [route.method], serveRoute(route, deps));
  return router;
}

/**
 * Makes `Allow` name only the methods of the path's own routes: `/api/invitations/accept` is a route, and never an id
 * of `/api/invitations/{id}`. The middleware stands after `allowedMethods`, which reads the matched routes once this
 * function has run.
 */
export function ownMethodsAlone(ctx: Context, next: Next): Promise<void> {
  const matched: readonly { readonly paramNames: readonly unknown[] }[] = ctx.matched ?? [];
  const least = Math.min(...matched.map(({ paramNames }) => paramNames.length));
  ctx.matched = matched.filter(({ paramNames }) => paramNames.length === least);
  return next();
}
