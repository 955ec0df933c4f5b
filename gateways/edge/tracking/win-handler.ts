import type { Middleware } from 'koa';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { ApiError } from '../../errors.ts';
import type { TrackingVerifier } from './verify.ts';

/** Wins reported lately; beyond this many the oldest are forgotten, and a repeat of one would be passed on again. */
const REMEMBERED = 100_000;

export interface WinReports {
  readonly verifier: TrackingVerifier;
  readonly clock: Clock;
  /** A win reported later than this after the auction is not passed on. */
  readonly windowMs: number;
  /** Called with the DSP's own `nurl`. */
  readonly won: (winNoticeUrl: string, dspId: string) => void;
}

/**
 * `GET /track/win`: the exchange's `nurl`. The first report of a win has the DSP told; anything else is answered alike,
 * 204, and does nothing. No money depends on it.
 */
export function winHandler({ verifier, clock, windowMs, won }: WinReports): Middleware {
  const reported = new Set<string>();
  return async (ctx) => {
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
    const verified = verifier.verify('win', ctx.querystring);
    if (!verified.ok || verified.noticeUrl === null || reported.has(verified.trackingId)) return;
    if (clock.now() >= verified.sale.issuedAtMs + windowMs) return;
    reported.add(verified.trackingId);
    if (reported.size > REMEMBERED) reported.delete(reported.values().next().value!);
    won(verified.noticeUrl, verified.sale.dspId);
  };
}
