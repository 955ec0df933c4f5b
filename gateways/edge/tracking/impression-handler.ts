import type { Middleware } from 'koa';
import { ApiError } from '../../errors.ts';
import type { ImpressionIntake } from './impression-intake.ts';
import { PIXEL } from './pixel.ts';

/**
 * `GET /track/impression`: the GIF, with 200, whatever the call was worth, so that nobody learns from it which URLs bill.
 * It leaves when the impression is durable; 503 when it could be recorded nowhere. No key is asked for.
 */
export function impressionHandler(intake: ImpressionIntake): Middleware {
  return async (ctx) => {
    // A router serves HEAD with GET's handler; HEAD is safe (RFC 9110 §9.2.1), and this bills.
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    const outcome = await intake.take(ctx.querystring);
    if (outcome === 'refused') throw new ApiError('SERVICE_UNAVAILABLE');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'image/gif';
    ctx.body = PIXEL;
  };
}
