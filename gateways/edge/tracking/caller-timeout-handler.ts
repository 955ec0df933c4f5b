import type { Middleware } from 'koa';
import type { PublisherProjection } from '#actors/publisher/fields';
import { ApiError } from '../../errors.ts';
import type { EdgeDeps } from '../deps.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { TagQuery } from '../tags/query.ts';

/** Upper bound of one report: more imps than a page has. */
const MOST_IMPS = 100;

/**
 * `POST /track/timeout?publisher_id=…&imps=…`: a page gave up on the answer for so many imps. 204; it is counted, and
 * nothing else follows from it: reports of pages are not verified. Throws INVALID_PARAMS for a malformed report,
 * FORBIDDEN for an unknown publisher, SERVICE_UNAVAILABLE while this edge does not know the publishers yet.
 */
export function callerTimeoutHandler({ replica, facts }: Pick<EdgeDeps, 'replica' | 'facts'>): Middleware {
  return (ctx) => {
    // The body of a beacon has no meaning.
    ctx.req.resume();
    const query = new TagQuery(ctx.search);
    const id = query.required('publisher_id');
    const imps = query.integer('imps', 1, MOST_IMPS) ?? 1;
    const sandboxAsked = asksForSandbox(ctx);
    if (!replica.ready) throw new ApiError('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
    const publisher = replica.get<PublisherProjection>('publisher', id);
    if (publisher === undefined || publisher.status === 'archived') {
      throw new ApiError('FORBIDDEN', 'publisher_id names no publisher that is known here.');
    }
    facts.publisher(id, sandboxAsked || publisher.status === 'sandbox').callerTimeouts += imps;
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
  };
}
