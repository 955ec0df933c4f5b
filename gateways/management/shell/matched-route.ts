import type { Context } from 'koa';

/** The path of the route that matched the request, as declared: `/api/supply/sources/:id`. Null when none matched. */
export function routeOf(ctx: Context): string | null {
  const { _matchedRoute: path } = ctx as { _matchedRoute?: unknown };
  return typeof path === 'string' ? path : null;
}
