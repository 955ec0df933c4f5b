import type { Context, Middleware } from 'koa';
import type { Clock } from '#runtime/ports/clock';
import { routeOf } from './matched-route.ts';

/** Is told of every answer. `route`: the pattern of the route; null when none matched. `ms`: until it was written. */
export type AnswerObserver = (route: string | null, method: string, status: number, ms: number) => void;

/** Tells `observe` of every answer. It stands around what writes errors, so that it sees their status. */
export function observeAnswers(observe: AnswerObserver, clock: Pick<Clock, 'monotonic'>): Middleware {
  return async (ctx: Context, next) => {
    const startedMs = clock.monotonic();
    try {
      await next();
    } finally {
      observe(routeOf(ctx), ctx.method, ctx.status, clock.monotonic() - startedMs);
    }
  };
}
