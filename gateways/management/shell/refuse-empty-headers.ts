import type { Middleware } from 'koa';
import { ApiError } from '../../errors.ts';

/** Headers without which a request means something else, and more. */
const narrowingHeaders = ['X-Sandbox', 'X-User-Partner-ID', 'Idempotency-Key', 'If-Match'] as const;

/**
 * A header that is there but empty was to narrow the request, to the sandbox, one partner or one revision, and its
 * value got lost on the caller's side: doing the wider thing instead would be the worse guess.
 */
export const refuseEmptyHeaders: Middleware = (ctx, next) => {
  const empty = narrowingHeaders.find((name) => ctx.req.headers[name.toLowerCase()] === '');
  if (empty !== undefined) throw new ApiError('INVALID_PARAMS', `${empty} is empty.`, empty);
  return next();
};
