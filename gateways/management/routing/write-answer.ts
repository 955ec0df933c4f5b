import etag from 'etag';
import type { Context } from 'koa';
import { isNotModified } from '../../http/if-none-match.ts';
import type { AnyRoute } from './route.ts';
import { writeCsv } from './write-csv.ts';

/**
 * Writes what a handler answered: as CSV or HTML where the route has it and the caller prefers it, else as JSON, whatever else
 * the caller accepts. A caller that has the answer already, by its `ETag`, gets 304 (RFC 9110 §13.1.2): the tag of a resource's
 * revision, or of what else a GET answered.
 */
export function writeAnswer(ctx: Context, route: AnyRoute, answer: unknown): void {
  ctx.status = route.answer.status;
  if (route.answer.headers !== undefined) ctx.set({ ...route.answer.headers });
  if (route.answer.csv !== undefined) {
    ctx.vary('Accept');
    if (ctx.accepts('application/json', 'text/csv') === 'text/csv') {
      ctx.attachment(`${route.path.split('/').slice(2).join('-')}.csv`);
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
  // A revision's tag is strong, and so are its bytes: they are not compressed.
  if (ctx.response.headers.etag === undefined) {
    ctx.set('ETag', etag(text, { weak: true }));
    ctx.compress = route.secret !== true;
  }
  ctx.type = 'json';
  ctx.body = text;
  if (isNotModified(ctx)) ctx.status = 304;
}
