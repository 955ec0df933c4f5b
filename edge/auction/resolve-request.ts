import type { PoolProjection } from '../../actors/pool/fields.ts';
import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import { type VerificationProjection, verification } from '../../actors/verification/verification.ts';
import { tradedInDollars } from '../../exchange/currency/request-currencies.ts';
import { BLOCK_REASONS, type BlockReason } from '../../exchange/fraud/block-reason.ts';
import { isVerifiedInventory } from '../../exchange/fraud/identity.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import { publisherCandidates } from '../../exchange/openrtb/publisher-candidates.ts';
import { withRunnableApis } from '../../exchange/openrtb/runnable-apis.ts';
import { withSecureImps } from '../../exchange/openrtb/secure-imps.ts';
import { isTelevision } from '../../exchange/strategy/devices.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { AdRequest, AuctionContext, KeyHolder } from '../auction-context.ts';
import { RefusedRequest } from '../refused-request.ts';
import { blocked, findPublisherByIds } from '../screening/refuse-request.ts';
import type { AuctionDeps } from './auction-deps.ts';

type ResolvingDeps = Pick<AuctionDeps, 'replica' | 'facts' | 'viewers' | 'recorder' | 'settings' | 'currencyRates'>;

/**
 * Finds the publisher of a request's inventory and the environment in which it is sold.
 *
 * Throws INVALID_PARAMS when the request names no publisher; FORBIDDEN when the publisher is unknown, archived or out
 * of the key's reach; SERVICE_UNAVAILABLE while this edge does not know the publishers yet.
 *
 * A sandbox publisher, a sandbox key and a request for the sandbox each make it a sandbox request, which meets sandbox
 * demand only. Live demand is asked only for a live publisher's own traffic.
 */
export function resolveRequest(
  { replica, facts, viewers, recorder, settings, currencyRates }: ResolvingDeps,
  {
    request,
    currencies,
    key,
    sandboxAsked,
    browser,
    address,
    isTag,
    isPage,
    player,
    receivedMs,
    trace = null,
  }: AdRequest,
): AuctionContext {
  if (!replica.ready) throw new RefusedRequest('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
  const ids = publisherCandidates(request);
  if (ids.length === 0) {
    throw new RefusedRequest('INVALID_PARAMS', 'The request names no publisher: give site.id or app.id.', 'site.id');
  }
  const sandboxWanted = sandboxAsked || isSandboxKey(key);
  const publisher = findPublisherByIds(replica, ids);
  if (publisher === undefined) {
    const reason = 'unknown-publisher' satisfies BlockReason;
    facts.platform(sandboxWanted).blocked.add(reason);
    const detail = BLOCK_REASONS[reason];
    recorder.recordRefusal({ outcome: 'blocked', reason, detail, publisher, sandbox: sandboxWanted, request });
    throw new RefusedRequest('FORBIDDEN', detail);
  }
  const sandbox = sandboxWanted || publisher.status === 'sandbox';
  if (publisher.status === 'archived') {
    throw blocked({ facts, recorder }, { publisher, sandbox, request }, 'archived-publisher');
  }
  if (key !== null && !keyCoversPublisher(key, publisher)) {
    throw blocked({ facts, recorder }, { publisher, sandbox, request }, 'foreign-key');
  }
  if (key === null && publisher.requireKey) {
    throw keyRequired(blocked({ facts, recorder }, { publisher, sandbox, request }, 'key-required'));
  }
  const pool = publisher.poolId === null ? undefined : replica.get<PoolProjection>('pool', publisher.poolId);
  const { viewer, privacy } = viewers.identify(request, browser);
  const runnable = withRunnableApis(request, isTelevision(request.device?.devicetype, publisher.type));
  const offered = settings.httpsCreativesOnly ? withSecureImps(runnable) : runnable;
  const askedBy = { address, isKeyed: key !== null, isTag, isPage };
  const rates = currencyRates?.current() ?? null;
  const verified = isVerified(replica, publisher, request);
  return {
    request: offered,
    currencies: currencies ?? (rates === null ? null : tradedInDollars(rates)),
    publisher,
    pool: pool ?? null,
    sandbox,
    viewer,
    privacy,
    trace,
    askedBy,
    verified,
    player,
    receivedMs,
  };
}

function isVerified(replica: Replica, { id, domain }: PublisherProjection, request: BidRequest): boolean {
  const found = replica.get<VerificationProjection>(verification.kind, id);
  return found !== undefined && isVerifiedInventory(request, domain, found.domain);
}

/** A missing key gets the usual answer and counts as a blocked request of the publisher. */
function keyRequired({ message }: RefusedRequest): RefusedRequest {
  return new RefusedRequest('UNAUTHORIZED', message);
}

export function isSandboxKey(key: KeyHolder | null): boolean {
  return key?.kind === 'account' && key.environment === 'sandbox';
}

function keyCoversPublisher(key: KeyHolder, publisher: PublisherProjection): boolean {
  return key.kind === 'account' ? key.accountId === publisher.accountId : key.publisherId === publisher.id;
}
