import { constants, gzipSync } from 'node:zlib';
import type { Context } from 'koa';

const FASTEST = { level: constants.Z_BEST_SPEED };

/** Answers 200 with text, compressed when the caller asks for it and there is enough of it. */
export function answerText(ctx: Context, contentType: string, text: string, gzipFromBytes: number): void {
  ctx.status = 200;
  ctx.set('Content-Type', contentType);
  if (text.length < gzipFromBytes || !takesGzip(ctx)) {
    ctx.body = text;
    return;
  }
  ctx.set('Content-Encoding', 'gzip');
  ctx.vary('Accept-Encoding');
  ctx.body = gzipSync(text, FASTEST);
}

export function answerNothing(ctx: Context): void {
  ctx.status = 204;
}

/** RFC 9110 §12.5.3, as far as gzip goes: named and not at weight zero. */
function takesGzip(ctx: Context): boolean {
  const accepted = ctx.req.headers['accept-encoding'];
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
