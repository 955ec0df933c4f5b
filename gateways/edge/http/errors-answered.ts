import type { Context, Middleware, Next } from 'koa';
import type { Logger } from '#runtime/actor/logger';
import type { Random } from '#runtime/ports/random';
import { answerError, apiErrorOf } from '../../http/answer-error.ts';
import { requestIdOf } from '../../http/request-id.ts';
import { readablePath } from '../../http/unreadable-url.ts';
import { REQUEST_ID_HEADER } from './answer.ts';

/** Gives every response its `X-Request-Id`, and turns every thrown error into an error of the catalogue. */
export function answerErrors(random: Random, logger: Logger): Middleware {
  return async (ctx: Context, next: Next) => {
    const requestId = requestIdOf(ctx.req, random);
    ctx.state.requestId = requestId;
    try {
      await next();
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      const { method } = ctx;
      const path = readablePath(ctx);
      if (error.code === 'INTERNAL_ERROR') logger.error({ err: thrown, requestId, method, path }, 'a request failed');
      else logger.debug({ code: error.code, reason: error.message, requestId, method, path }, 'a request was refused');
      // An error's message may contain text of the request.
      ctx.set('X-Content-Type-Options', 'nosniff');
      answerError(ctx, error, requestId);
    }
    // An answer whose head is made already has the header (see answerJson).
    if (!ctx.headerSent) ctx.set(REQUEST_ID_HEADER, requestId);
  };
}
