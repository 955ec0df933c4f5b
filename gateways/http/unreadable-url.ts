import type { Context, Middleware } from 'koa';
import { ApiError } from '../errors.ts';

/**
 * The path of a request; null where its target is no URL, as `http://[`. Node passes every target on, and each reading
 * of the path or the query of such a one throws (RFC 9112 §3.2.2).
 */
export function readablePath(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}

/** Stands before what reads the path or the query with no regard to that. */
export const refuseUnreadableUrl: Middleware = (ctx, next) => {
  if (readablePath(ctx) === null) throw new ApiError('INVALID_PARAMS', 'The URL of the request cannot be read.');
  return next();
};
