import type { Context, Middleware } from 'koa';
import { ApiError } from '../../errors.ts';
import { answerError, apiErrorOf } from '../../http/answer-error.ts';
import { requestIdOf } from '../../http/request-id.ts';
import type { ManagementDeps } from '../deps.ts';
import { routeOf } from './matched-route.ts';

/**
 * The outermost middleware: it names the request and writes every failure as an error of the catalogue. Failures of the
 * exchange are logged with their cause, those of the caller at debug.
 */
export function answerErrors({ random, logger }: Pick<ManagementDeps, 'random' | 'logger'>): Middleware {
  return async (ctx: Context, next) => {
    const requestId = requestIdOf(ctx.req, random);
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 404) {
        throw unmatchedRouteError(ctx);
      }
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      const request = { requestId, method: ctx.method, route: routeOf(ctx) };
      if (error.code === 'INTERNAL_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        logger.error({ err: thrown, ...request }, 'a request failed');
      } else {
        logger.debug({ code: error.code, reason: error.message, ...request }, 'a request was refused');
      }
      answerError(ctx, error, requestId);
    }
  };
}

/** The error for a request that no route matched. */
function unmatchedRouteError({ status, response }: Context): ApiError {
  if (status === 404) return new ApiError('NOT_FOUND', 'There is nothing at this path.');
  const allowed = response.get('Allow');
  if (allowed === '') return new ApiError('METHOD_NOT_ALLOWED');
  return new ApiError('METHOD_NOT_ALLOWED', `The resource knows these methods only: ${allowed}.`);
}
