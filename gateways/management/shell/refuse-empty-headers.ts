import type { Middleware } from 'koa';
import { ApiError } from '../../errors.ts';

/** Headers that narrow a request; without them the request would reach further. */
const narrowingHeaders = ['X-Sandbox', 'X-User-Partner-ID', 'Idempotency-Key', 'If-Match'] as const;

/**
 * Refuses an empty narrowing header. The caller meant to narrow the request to the sandbox, one partner or one revision
 * and lost the value; to run the wider request instead would be the worse guess.
 */
export const refuseEmptyHeaders: Middleware = (ctx, next) => {
  const empty = narrowingHeaders.find((name) => ctx.req.headers[name.toLowerCase()] === '');
  if (empty !== undefined) throw new ApiError('INVALID_PARAMS', `${empty} is empty.`, empty);
  return next();
};
