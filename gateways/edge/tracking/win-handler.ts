import type { Middleware } from 'koa';
import type { WinNotifier } from '#edge/impressions/told-wins';
import type { TrackingVerifier } from '#edge/tracking/verify';
import type { Clock } from '#runtime/ports/clock';
import { ApiError } from '../../errors.ts';

export interface WinHandlerOptions {
  readonly verifier: TrackingVerifier;
  readonly clock: Clock;
  /** A win reported more than this many ms after the auction is not passed on. */
  readonly windowMs: number;
  readonly wins: Pick<WinNotifier, 'tell'>;
}

/**
 * `GET /track/win`: the exchange's `nurl`. The first report of a win sends the DSP its win notice; any other call gets
 * the same answer, 204, and does nothing. No money depends on it.
 */
export function winHandler({ verifier, clock, windowMs, wins }: WinHandlerOptions): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
    const verified = verifier.verify('win', ctx.querystring);
    if (!verified.ok || verified.noticeUrl === null) return;
    const { trackingId, noticeUrl, sale } = verified;
    const untilMs = sale.issuedAtMs + windowMs;
    if (clock.now() < untilMs) wins.tell(trackingId, noticeUrl, sale.dspId, untilMs);
  };
}
