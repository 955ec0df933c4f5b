import type { Context } from 'koa';
import { callerHasIt } from './preconditions.ts';
import type { AnyRoute } from './route.ts';
import { writeCsv } from './write-csv.ts';

/**
 * Writes what a handler answered: as CSV where the route has it and the caller prefers it, else as JSON, whatever else
 * the caller accepts. A caller that has the answer already, by its `ETag`, gets 304 (RFC 9110 §13.1.2).
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
      return;
    }
  }
  ctx.body = answer;
  if (route.method === 'GET' && callerHasIt(ctx)) ctx.status = 304;
}
