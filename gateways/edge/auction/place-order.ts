import type { PoolView } from '../../../actors/pool/view.ts';
import type { PublisherView } from '../../../actors/publisher/view.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';
import { publisherCandidates } from '../../../exchange/openrtb/publisher-candidates.ts';
import { ApiError } from '../../errors.ts';
import type { KeyHolder } from '../openrtb/callers.ts';
import type { EdgeParts } from '../parts.ts';
import { UNKNOWN_VIEWER } from '../viewer/viewer.ts';
import type { AuctionOrder } from './order.ts';

export interface Caller {
  /** Null without a key. */
  readonly key: KeyHolder | null;
  /** `X-Sandbox` or `?sandbox=true`. */
  readonly sandboxAsked: boolean;
}

/**
 * Finds whose inventory a request is and in which environment it is sold.
 *
 * Throws INVALID_PARAMS when it names no publisher, FORBIDDEN when the publisher is unknown, archived or out of the
 * key's reach, SERVICE_UNAVAILABLE while this edge does not know the publishers yet.
 *
 * A sandbox publisher, a sandbox key and a request for the sandbox each make it a sandbox request: it meets sandbox
 * demand alone, and live demand is asked by nothing else than a live publisher's own traffic.
 */
export function placeOrder(
  { replica, facts }: EdgeParts,
  request: BidRequest,
  { key, sandboxAsked }: Caller,
  receivedMs: number,
): AuctionOrder {
  if (!replica.ready) throw new ApiError('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
  const ids = publisherCandidates(request);
  if (ids.length === 0) {
    throw new ApiError('INVALID_PARAMS', 'The request names no publisher: give site.id or app.id.', 'site.id');
  }
  const sandboxWanted = sandboxAsked || isSandboxKey(key);
  const publisher = firstOf(ids, (id) => replica.get<PublisherView>('publisher', id));
  if (publisher === undefined) {
    facts.platform(sandboxWanted).blocked.add('unknown-publisher');
    throw new ApiError('FORBIDDEN', 'The publisher is not known here.');
  }
  const sandbox = sandboxWanted || publisher.status === 'sandbox';
  const block = (reason: string, message: string): never => {
    facts.publisher(publisher.id, sandbox).blocked.add(reason);
    throw new ApiError('FORBIDDEN', message);
  };
  if (publisher.status === 'archived') block('archived-publisher', 'The publisher is archived.');
  if (key !== null && !reaches(key, publisher)) {
    block('foreign-key', 'The key is not one of the account that the publisher belongs to, nor its own source key.');
  }
  const pool = publisher.poolId === null ? undefined : replica.get<PoolView>('pool', publisher.poolId);
  return { request, publisher, pool: pool ?? null, sandbox, viewer: UNKNOWN_VIEWER, receivedMs };
}

export function isSandboxKey(key: KeyHolder | null): boolean {
  return key?.kind === 'account' && key.environment === 'sandbox';
}

function reaches(key: KeyHolder, publisher: PublisherView): boolean {
  return key.kind === 'account' ? key.accountId === publisher.accountId : key.publisherId === publisher.id;
}

function firstOf<T>(ids: readonly string[], find: (id: string) => T | undefined): T | undefined {
  for (const id of ids) {
    const found = find(id);
    if (found !== undefined) return found;
  }
  return undefined;
}
