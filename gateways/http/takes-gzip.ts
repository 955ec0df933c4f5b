import type { Context } from 'koa';

/** Whether the caller accepts gzip and does not prefer the plain response (`Accept-Encoding`, RFC 9110 §12.5.3). */
export function takesGzip(ctx: Pick<Context, 'acceptsEncodings'>): boolean {
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
