import type { Context } from 'koa';
import { plainAddress } from '#edge/addresses/plain-address';
import type { AuctionEndpoint } from '#edge/auction/auction-endpoint';
import type { Auctioneer } from '#edge/auction/auctioneer';
import type { HeldAuction } from '#edge/auction/held-auction';
import { type CallerRequest, RepeatedRequests } from '#edge/auction/repeated-requests';
import type { AuctionContext } from '#edge/auction-context';
import { findPublisherByIds, invalidFloor, invalidRequest } from '#edge/screening/refuse-request';
import type { TrackingMint } from '#edge/tracking/mint';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { type ReadBidRequest, readBidRequest } from '#exchange/openrtb/parse-bid-request';
import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import { parseUrl } from '#exchange/parse-url';
import { ApiError } from '../../errors.ts';
import { presentedKey } from '../../http/presented-key.ts';
import type { EdgeDeps } from '../deps.ts';
import { browserOf } from '../http/browser-of.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { traceparentOf } from '../http/traceparent-of.ts';
import { bidResponse, sendUncarriedWins } from '../openrtb/bid-response.ts';
import { withBrowserDevice } from '../openrtb/browser-device.ts';
import type { CallerAuthenticator } from '../openrtb/callers.ts';
import { answerAuction, type HeldPrebidAuction, type PrebidAnswer } from './auction-answer.ts';
import type { BidCache } from './bid-cache.ts';
import { type PrebidAuction, raiseFloors, readAuction } from './read-auction.ts';
import { storeWithinMs } from './store-within.ts';
import type { StoredRequests } from './stored-requests.ts';

/** An auction that a client of Prebid Server asks for, with the call that it came by. */
interface CalledAuction extends CallerRequest {
  readonly asked: PrebidAuction;
  readonly endpoint: HeldPrebidAuction['endpoint'];
}

/** The answer is written once, for all who joined the auction. */
type WrittenAnswer = () => Promise<PrebidAnswer>;

export interface PrebidParts {
  readonly deps: EdgeDeps;
  readonly auctioneer: Pick<Auctioneer, 'answer'>;
  readonly callers: CallerAuthenticator;
  readonly mint: TrackingMint;
  readonly cache: BidCache;
  readonly stored: StoredRequests;
}

/**
 * The auctions of `POST /openrtb2/auction` and `GET /openrtb2/amp`: those of `POST /rtb`, asked and answered as Prebid
 * Server is. One request is one auction of one supply source. It is refused as there: 400 for an invalid document, 401
 * for an unknown key, 403 for a blocked request. The caller is the viewer's own device, a page or an app, unless it
 * shows a key.
 */
export class PrebidAuctions implements AuctionEndpoint<CalledAuction, WrittenAnswer> {
  readonly repeats: RepeatedRequests<WrittenAnswer>;
  readonly #parts: PrebidParts;

  constructor(parts: PrebidParts) {
    this.#parts = parts;
    this.repeats = new RepeatedRequests(parts.deps);
  }

  /** `document` is the parsed `body`, or what an endpoint has made of its query. */
  async hold(
    ctx: Context,
    document: unknown,
    body: Buffer,
    endpoint: HeldPrebidAuction['endpoint'],
    receivedMs: number,
  ): Promise<PrebidAnswer> {
    const { deps, callers, auctioneer, stored } = this.#parts;
    const key = callers.identify(presentedKey(ctx.req.headers));
    const sandboxAsked = asksForSandbox(ctx);
    if (!deps.replica.ready) throw new ApiError('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
    const asked = readAuction(document, stored, deps.settings.prebidBidderCode);
    const { headers } = ctx.req;
    const read = this.#checked(withCaller(asked.request, ctx, deps), asked, sandboxAsked);
    const address = plainAddress(ctx.ip);
    const isDevice = key === null || headers.origin !== undefined;
    const connection = isDevice ? { address, userAgent: headers['user-agent'] || undefined, headers } : null;
    const written = await auctioneer.answer(
      {
        ...{ asked, endpoint, key, sandboxAsked, address, receivedMs, connection, body },
        request: connection === null ? read.request : withBrowserDevice(read.request, connection),
        currencies: read.currencies,
        traceparent: traceparentOf(ctx),
        browser: browserOf(ctx),
        isTag: false,
        isPage: isDevice,
      },
      this,
    );
    return written();
  }

  screened(): void {}

  answer(
    { asked, endpoint }: CalledAuction,
    { request, currencies, receivedMs }: AuctionContext,
    held: HeldAuction,
  ): WrittenAnswer {
    const { deps, mint, cache } = this.#parts;
    const { renderWindowMs, publicEdgeUrl } = deps.settings;
    const auction: HeldPrebidAuction = {
      ...{ asked, request, endpoint },
      // Players of SDKs, too, take a `nurl` beside VAST for the address of the VAST.
      response: bidResponse(request.id, held.result.sold, mint, { renderWindowMs, toPage: true, currencies }),
      tookMs: deps.clock.monotonic() - receivedMs,
      atMs: deps.clock.now(),
      bidderUrl: `${publicEdgeUrl}/rtb`,
    };
    sendUncarriedWins(held.result.sold, deps.notices);
    let answer: Promise<PrebidAnswer> | null = null;
    return () => {
      const elapsedMs = deps.clock.monotonic() - receivedMs;
      answer ??= answerAuction(auction, cache, storeWithinMs(request.tmax, elapsedMs, deps.settings.bidders));
      return answer;
    };
  }

  #checked(document: JsonObject, { imps }: PrebidAuction, sandboxAsked: boolean): ReadBidRequest {
    const { deps } = this.#parts;
    try {
      const read = readBidRequest(document, deps.currencyRates?.current() ?? null);
      raiseFloors(read.request, imps);
      return read;
    } catch (error) {
      if (error instanceof InvalidFloor)
        throw invalidFloor(deps, document as object as BidRequest, sandboxAsked, error);
      if (!(error instanceof InvalidBidRequest)) throw error;
      const refusal = notABidRequest(error);
      const publisher = findPublisherByIds(deps.replica, namedPublishers(document));
      throw publisher === undefined ? refusal : invalidRequest(deps, publisher, sandboxAsked, refusal);
    }
  }
}

/** What Prebid Server, too, takes from the call where the request leaves it out: an id, and the page of a site. */
function withCaller(request: JsonObject, ctx: Context, { random }: Pick<EdgeDeps, 'random'>): JsonObject {
  const { site } = request;
  const referrer = ctx.get('Referer');
  const isPageMissing = isObject(site) && site.page === undefined && parseUrl(referrer) !== null;
  return {
    ...request,
    ...((request.id === undefined || request.id === '') && { id: random.id() }),
    ...(isPageMissing && { site: { ...site, page: referrer } }),
  };
}

function namedPublishers(document: JsonObject): readonly string[] {
  const ids = [document.site, document.app, document.dooh].map((each) => (isObject(each) ? each.id : undefined));
  return ids.filter((id) => typeof id === 'string');
}

function notABidRequest({ path, message }: InvalidBidRequest): ApiError {
  const what = path === '' ? 'The request' : `request.${path}`;
  const code = message === 'is required' ? 'INVALID_PARAMS' : 'VALIDATION_ERROR';
  return new ApiError(code, `${what} ${message}.`, path === '' ? undefined : path);
}
