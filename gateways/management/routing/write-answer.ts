import type { Context } from 'koa';
import type { AnyRoute } from './route.ts';

/** Writes what a handler answered. */
export function writeAnswer(ctx: Context, route: AnyRoute, answer: unknown): void {
  ctx.status = route.answer.status;
  if (route.answer.headers !== undefined) ctx.set({ ...route.answer.headers });
  ctx.body = answer;
}
