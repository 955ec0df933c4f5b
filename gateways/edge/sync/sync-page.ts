import type { Context } from 'koa';
import { PIXEL } from '../tracking/pixel.ts';

const BLANK = '<!doctype html><html><head><meta charset="utf-8"><title>sync</title></head><body></body></html>';
const OPTED_OUT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Opted out</title></head><body>' +
  '<p>You have opted out: this browser is not recognised any more. The choice is kept in a cookie of this browser, and is lost when that is deleted.</p>' +
  '</body></html>';

/** `pixel`: a GIF of 43 bytes; `iframe`: a page. */
export type SyncForm = 'pixel' | 'iframe';

/** One buyer's URL, to be called by the page. */
export interface PartnerUrl {
  readonly url: string;
  readonly type: 'redirect' | 'iframe';
}

/** Answers with nothing: an empty page or the pixel. */
export function answerBlank(ctx: Context, form: SyncForm): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  if (form === 'iframe') answerPage(ctx, BLANK);
  else {
    ctx.set('Content-Type', 'image/gif');
    ctx.body = PIXEL;
  }
}

/** Answers with a page that calls every URL and shows nothing. It contains no script. */
export function answerPartnerCalls(ctx: Context, calls: readonly PartnerUrl[]): void {
  const called = calls.map(({ url, type }) =>
    type === 'iframe'
      ? `<iframe src="${escapeAttribute(url)}" hidden sandbox="allow-scripts allow-same-origin"></iframe>`
      : `<img src="${escapeAttribute(url)}" width="1" height="1" alt="">`,
  );
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  answerPage(
    ctx,
    BLANK.replace('<body>', () => `<body>${called.join('')}`),
  );
}

export function answerOptedOut(ctx: Context): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  answerPage(ctx, OPTED_OUT);
}

/** Redirects at once and this time only. The address is a registered one. */
export function answerRedirect(ctx: Context, url: string): void {
  ctx.status = 302;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Location', url);
}

function answerPage(ctx: Context, html: string): void {
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.set('Content-Security-Policy', "default-src 'none'; img-src https: http:; frame-src https: http:");
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = html;
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
