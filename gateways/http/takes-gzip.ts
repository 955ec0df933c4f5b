import type { Context } from 'koa';

/** Whether the caller accepts gzip and does not prefer the plain response (`Accept-Encoding`, RFC 9110 §12.5.3). */
export function takesGzip(ctx: Pick<Context, 'req' | 'acceptsEncodings'>): boolean {
  const stated = ctx.req.headers['accept-encoding'];
  // What most callers state; reading a list costs two microseconds.
  if (stated === undefined) return false;
  return stated === 'gzip' || ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
