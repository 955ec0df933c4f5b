import Router from '@koa/router';
import type { ManagementParts } from '../parts.ts';
import type { AnyRoute } from './route.ts';
import { serveRoute } from './serve-route.ts';

/** Serves declared routes, each by its method and path. */
export function apiRouter(routes: readonly AnyRoute[], parts: ManagementParts): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) router.register(route.path, [route.method], serveRoute(route, parts));
  return router;
}
