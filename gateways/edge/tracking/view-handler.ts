import { parse } from 'node:querystring';
import type { Middleware } from 'koa';
import { VIEW_EVENTS, type ViewabilityEventName } from '#edge/tracking/view-event';
import type { ViewabilityIngest } from '#edge/viewability/viewability-ingest';
import { ApiError } from '../../errors.ts';

/**
 * `POST /track/view?event=…&<query of the tracking URL>`, or GET for players, whose trackers are images: 204, whatever
 * the report's outcome. Throws INVALID_PARAMS for an unknown event.
 */
export function viewabilityHandler(views: Pick<ViewabilityIngest, 'take'>): Middleware {
  return async (ctx) => {
    // A router serves HEAD with GET's handler; HEAD is safe (RFC 9110 §9.2.1), and this counts.
    if (ctx.method === 'HEAD') {
      ctx.set('Allow', 'GET, POST');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    const event = viewEvent(parse(ctx.querystring).event);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
    // The body of a beacon has no meaning.
    ctx.req.resume();
    // The outcome is not awaited: the call never rejects.
    void views.take(event, ctx.querystring);
  };
}

function viewEvent(stated: string | string[] | undefined): ViewabilityEventName {
  const event = VIEW_EVENTS.find((known) => known === stated);
  if (event !== undefined) return event;
  throw new ApiError('INVALID_PARAMS', `event must be one of ${VIEW_EVENTS.join(', ')}.`, 'event');
}
