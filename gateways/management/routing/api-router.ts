import Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { ManagementDeps } from '../deps.ts';
import type { AnyRoute } from './route.ts';
import { serveRoute } from './serve-route.ts';

/**
 * Serves the declared routes, each by its method and path. A path that is declared without an id is never one with an
 * id: where it does not take the method, 405 follows.
 */
export function apiRouter(routes: readonly AnyRoute[], deps: ManagementDeps): Router {
  const router = new Router({ sensitive: true });
  const fixed = new Set(routes.flatMap(({ path }) => (path.includes(':') ? [] : [path])));
  for (const route of routes) {
    const serve = serveRoute(route, deps);
    const serveIds = (ctx: Context, next: Next): Promise<void> => (fixed.has(ctx.path) ? next() : serve(ctx));
    router.register(route.path, [route.method], route.path.includes(':') ? serveIds : serve);
  }
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
