import etag from 'etag';
import type { Context } from 'koa';
import { isNotModified } from '../../http/if-none-match.ts';
import type { AnyRoute } from './route.ts';
import { writeCsv } from './write-csv.ts';

/**
 * Writes the answer of a handler: as CSV or HTML when the route has that form and the caller prefers it, else as JSON,
 * whatever else the caller accepts. A GET whose `If-None-Match` names the answer's tag gets 304 (RFC 9110 §13.1.2); the
 * tag is that of the resource's revision, or else that of the answer's content.
 */
export function writeAnswer(ctx: Context, route: AnyRoute, answer: unknown): void {
  ctx.status = route.answer.status;
  if (route.answer.headers !== undefined) ctx.set({ ...route.answer.headers });
  if (route.answer.csv !== undefined) {
    ctx.vary('Accept');
    if (ctx.accepts('application/json', 'text/csv') === 'text/csv') {
      ctx.attachment(csvFileName(ctx, route.path));
      ctx.type = 'text/csv; charset=utf-8';
      ctx.body = writeCsv(route.answer.csv(answer));
      ctx.compress = route.method === 'GET' && route.secret !== true;
      return;
    }
  }
  if (route.answer.html !== undefined) {
    ctx.vary('Accept');
    if (ctx.accepts('application/json', 'text/html') === 'text/html') {
      const { write, headers } = route.answer.html;
      ctx.set({ ...headers });
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = write(answer);
      ctx.compress = route.secret !== true;
      return;
    }
  }
  if (route.method !== 'GET') {
    ctx.body = answer;
    return;
  }
  const text = JSON.stringify(answer);
  // The tag of a revision is strong, so its bytes must not change: the answer is not compressed.
  if (ctx.response.headers.etag === undefined) {
    ctx.set('ETag', etag(text, { weak: true }));
    ctx.compress = route.secret !== true;
  }
  ctx.type = 'json';
  ctx.body = text;
  if (isNotModified(ctx)) ctx.status = 304;
}

/**
 * The path below `/api`, with its parameters: `/api/supply/sources/:id/billing` is `supply-sources-<id>-billing.csv`.
 */
function csvFileName(ctx: Context, path: string): string {
  const { params = {} } = ctx as unknown as { params?: Record<string, string> };
  const segments = path.split('/').slice(2);
  return `${segments.map((part) => (part.startsWith(':') ? params[part.slice(1)] : part)).join('-')}.csv`;
}
