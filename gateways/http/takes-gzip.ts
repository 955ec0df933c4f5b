import type { Context } from 'koa';

/** Whether the caller takes gzip and does not rather have the answer as it is (`Accept-Encoding`, RFC 9110 §12.5.3). */
export function takesGzip(ctx: Pick<Context, 'acceptsEncodings'>): boolean {
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
