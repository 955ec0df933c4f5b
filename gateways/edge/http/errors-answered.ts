import type { Context, Middleware, Next } from 'koa';
import type { Logger } from '../../../runtime/actor/logger.ts';
import type { Random } from '../../../runtime/ports/random.ts';
import { answerError, apiErrorOf } from '../../http/answer-error.ts';
import { requestIdOf } from '../../http/request-id.ts';

/** Gives every response its `X-Request-Id`, and turns whatever is thrown into an error of the catalogue. */
export function errorsAnswered(random: Random, logger: Logger): Middleware {
  return async (ctx: Context, next: Next) => {
    const requestId = requestIdOf(ctx, random);
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      if (error.code === 'INTERNAL_ERROR') logger.error({ err: thrown, requestId, path: ctx.path }, 'request failed');
      answerError(ctx, error, requestId);
    }
  };
}
