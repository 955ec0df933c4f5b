import type { Context } from 'koa';
import { RefusedRequest } from '../../edge/refused-request.ts';
import { ActorTimeout, LogUnavailable, Overloaded, Rejected, StoreUnavailable } from '../../runtime/actor/errors.ts';
import {
  type AnsweredError,
  ApiError,
  type ErrorDetails,
  errorCatalogue,
  type FieldError,
  isErrorCode,
} from '../errors.ts';
import { KEY_CHALLENGE } from './presented-key.ts';

/**
 * Maps a thrown value to an error of the catalogue. An unexpected value becomes INTERNAL_ERROR, whose message reveals
 * nothing of it.
 */
export function apiErrorOf(thrown: unknown): AnsweredError {
  if (thrown instanceof ApiError || thrown instanceof RefusedRequest) return thrown;
  if (thrown instanceof Rejected && isErrorCode(thrown.code)) {
    const { field, errors } = thrown.details;
    return new ApiError(thrown.code, thrown.message, typeof field === 'string' ? field : undefined, {
      errors: Array.isArray(errors) ? (errors as FieldError[]) : undefined,
    });
  }
  if (
    thrown instanceof ActorTimeout ||
    thrown instanceof Overloaded ||
    thrown instanceof LogUnavailable ||
    thrown instanceof StoreUnavailable
  ) {
    return new ApiError('SERVICE_UNAVAILABLE');
  }
  return new ApiError('INTERNAL_ERROR');
}

/** Headers that describe the content that an error stands in the place of. */
const OF_THE_CONTENT = ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Content-Encoding'];

const NO_DETAILS: ErrorDetails = {};

/**
 * Writes the error body: `{"error": {code, message, field?, errors?, request_id, reset_at?}}`; `errors` is a list of
 * `{field, message}`, `reset_at` Unix seconds. Headers of the answer that was under way are taken back: an error is not
 * kept by caches, and is no version or part of what was asked for.
 */
export function answerError(ctx: Context, error: AnsweredError, requestId: string): void {
  const entry: { status: number; retryAfterS?: number } = errorCatalogue[error.code];
  ctx.status = entry.status;
  ctx.set('Cache-Control', 'no-store');
  for (const name of OF_THE_CONTENT) ctx.remove(name);
  if (entry.retryAfterS !== undefined) ctx.set('Retry-After', String(entry.retryAfterS));
  if (entry.status === 401) ctx.set('WWW-Authenticate', KEY_CHALLENGE);
  ctx.body = errorBody(error, requestId);
}

/** The error body, which is the same for every error response. */
export function errorBody(error: AnsweredError, requestId: string): object {
  const { errors: all, resetAtMs } = error.details ?? NO_DETAILS;
  const errors = all ?? (error.field === undefined ? undefined : [{ field: error.field, message: error.message }]);
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.field === undefined ? {} : { field: error.field }),
      ...(errors === undefined ? {} : { errors: errors.map(({ field, message }) => ({ field, message })) }),
      request_id: requestId,
      ...(resetAtMs === undefined ? {} : { reset_at: Math.ceil(resetAtMs / 1000) }),
    },
  };
}
