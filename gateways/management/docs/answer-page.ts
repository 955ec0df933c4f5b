import etag from 'etag';
import type { Context } from 'koa';
import { isNotModified } from '../../http/if-none-match.ts';

/** Answers a page, compressed and kept for minutes; 304 to a caller that already has it. */
export function answerPage(ctx: Context, text: string, type: 'html' | 'js' = 'html'): void {
  ctx.set({ ETag: etag(text, { weak: true }), 'Cache-Control': 'public, max-age=300' });
  ctx.compress = true;
  ctx.type = type;
  ctx.body = text;
  if (isNotModified(ctx)) ctx.status = 304;
}
