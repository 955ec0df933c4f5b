import { parse } from 'node:querystring';
import type { Middleware } from 'koa';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { ApiError } from '../../errors.ts';
import type { Facts } from '../facts.ts';
import type { TrackingVerifier } from '../tracking/verify.ts';
import { SeenOnce } from './seen-once.ts';

/**
 * What a tag tells of an impression (MRC, Viewable Ad Impression Measurement Guidelines): `measurable`: it was rendered
 * where its visibility can be told; `viewable`: half of its pixels were in view for a second without a break, of a large
 * display ad (242,500 pixels or more) three tenths.
 */
const VIEW_EVENTS = ['measurable', 'viewable'] as const;
type ViewEvent = (typeof VIEW_EVENTS)[number];

/** Views remembered, so that none counts twice; some 100 bytes each. */
const REMEMBERED = 500_000;

export interface ViewReports {
  readonly verifier: TrackingVerifier;
  readonly facts: Facts;
  readonly clock: Clock;
  /** A view that is told later than this after the sale does not count. */
  readonly windowMs: number;
}

/**
 * `POST /track/view?event=…&<query of the tracking URL>`: a fact of the publisher and of the DSP, `views/<event>`, once
 * for each impression. Always 204, whatever the call was worth; what did not count is counted by its reason,
 * `viewCalls/<reason>`. It bills nothing. Throws INVALID_PARAMS for an event that there is not.
 */
export function viewHandler({ verifier, facts, clock, windowMs }: ViewReports): Middleware {
  const seen = new SeenOnce({ windowMs, most: REMEMBERED });
  return async (ctx) => {
    const event = viewEvent(parse(ctx.querystring).event);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
    // What a beacon sends along says nothing.
    ctx.req.resume();
    const verified = verifier.verify('impression', ctx.querystring);
    if (!verified.ok) {
      facts.platform(false).viewCalls.add(verified.reason);
      return;
    }
    const { sale, trackingId } = verified;
    const publisher = facts.publisher(sale.publisherId, sale.sandbox);
    const nowMs = clock.now();
    if (nowMs >= sale.issuedAtMs + windowMs) publisher.viewCalls.add('expired');
    else if (!seen.add(`${event} ${trackingId}`, sale.issuedAtMs, nowMs)) publisher.viewCalls.add('repeated');
    else {
      publisher.views.add(event);
      facts.dsp(sale.dspId, sale.sandbox).views.add(event);
    }
  };
}

function viewEvent(stated: string | string[] | undefined): ViewEvent {
  const event = VIEW_EVENTS.find((known) => known === stated);
  if (event !== undefined) return event;
  throw new ApiError('INVALID_PARAMS', `event must be one of ${VIEW_EVENTS.join(', ')}.`, 'event');
}
