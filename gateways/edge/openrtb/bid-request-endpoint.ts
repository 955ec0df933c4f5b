import type { Context } from 'koa';
import { plainAddress } from '#edge/addresses/plain-address';
import type { AuctionEndpoint } from '#edge/auction/auction-endpoint';
import type { Auctioneer } from '#edge/auction/auctioneer';
import type { HeldAuction } from '#edge/auction/held-auction';
import { type CallerRequest, RepeatedRequests } from '#edge/auction/repeated-requests';
import { isSandboxKey } from '#edge/auction/resolve-request';
import type { AuctionContext, KeyHolder } from '#edge/auction-context';
import { findPublisherByIds, invalidFloor, invalidRequest } from '#edge/screening/refuse-request';
import type { TrackingMint } from '#edge/tracking/mint';
import type { NoBidReason } from '#exchange/auction/loss-reason';
import { acceptsDollars, CURRENCY } from '#exchange/currency/currency';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { type ReadBidRequest, readBidRequest } from '#exchange/openrtb/parse-bid-request';
import { isObject } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';
import { presentedKey } from '../../http/presented-key.ts';
import type { EdgeDeps } from '../deps.ts';
import type { RequestBodyReader } from '../http/body-reads.ts';
import { browserOf } from '../http/browser-of.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { traceparentOf } from '../http/traceparent-of.ts';
import { type NoFill, setNoFillHeaders } from '../tags/no-fill.ts';
import { bidResponse, sendUncarriedWins } from './bid-response.ts';
import { browserConnection, withBrowserDevice } from './browser-device.ts';
import type { CallerAuthenticator } from './callers.ts';

/** The detail of an answer for a request that no bid can ever serve. */
const CURRENCY_REFUSED = {
  reason: 'unsupported-currency',
  detail: `cur must name ${CURRENCY}, or a currency that this exchange has a rate of (GET /api/currency-rates).`,
} as const satisfies NoFill & { readonly reason: NoBidReason };

/** A bid request with its complete body; only its head has been checked. */
export interface ReceivedBidRequest {
  readonly ctx: Context;
  readonly key: KeyHolder | null;
  readonly sandboxAsked: boolean;
  readonly body: Buffer;
  readonly receivedMs: number;
}

/** A parsed bid request, with the call that it came by. */
interface CalledRequest extends CallerRequest {
  readonly ctx: Context;
}

/**
 * `POST /` and `POST /rtb`: an OpenRTB 2.5 or 2.6 bid request in, 200 with the sold imps or 204 (specification,
 * Endpoints on {rtb_url}). 400 for an invalid document, 401 for an unknown key, 403 for a blocked request: an unknown
 * or archived publisher, an invalid floor, or a refusal by screening. A request that is repeated while its auction is
 * under way gets the answer of that auction; later it is a replay, which gets 403.
 */
export class BidRequestEndpoint implements AuctionEndpoint<CalledRequest, string | null> {
  readonly repeats: RepeatedRequests<string | null>;
  readonly #deps: EdgeDeps;
  readonly #auctioneer: Pick<Auctioneer, 'answer'>;
  readonly #callers: CallerAuthenticator;
  readonly #mint: TrackingMint;
  readonly #bodies: RequestBodyReader;

  constructor(
    deps: EdgeDeps,
    auctioneer: Pick<Auctioneer, 'answer'>,
    callers: CallerAuthenticator,
    mint: TrackingMint,
    bodies: RequestBodyReader,
  ) {
    this.repeats = new RepeatedRequests(deps);
    this.#bodies = bodies;
    this.#deps = deps;
    this.#auctioneer = auctioneer;
    this.#callers = callers;
    this.#mint = mint;
  }

  /** Checks the head, then reads the body: a slow body takes no auction's place. */
  async receive(ctx: Context): Promise<ReceivedBidRequest> {
    const receivedMs = this.#deps.clock.monotonic();
    requireJson(ctx);
    const key = this.#callers.identify(presentedKey(ctx.req.headers));
    const sandboxAsked = asksForSandbox(ctx);
    try {
      return { ctx, key, sandboxAsked, body: await this.#bodies.read(ctx.req), receivedMs };
    } catch (error) {
      // The missing rest of the body may never come.
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      throw error;
    }
  }

  /** Runs the auction of a request and resolves with the answer's JSON; null: nothing was sold. */
  async respond({ ctx, key, sandboxAsked, body, receivedMs }: ReceivedBidRequest): Promise<string | null> {
    const read = this.#read(body, sandboxAsked || isSandboxKey(key));
    const connection = browserConnection(ctx);
    const request = connection === null ? read.request : withBrowserDevice(read.request, connection);
    const browser = browserOf(ctx);
    const address = connection?.address ?? plainAddress(ctx.ip);
    const isPage = connection !== null;
    const asked = {
      ctx,
      request,
      currencies: read.currencies,
      traceparent: traceparentOf(ctx),
      key,
      sandboxAsked,
      browser,
      address,
      isTag: false,
      isPage,
      receivedMs,
      connection,
      body,
    };
    return this.#auctioneer.answer(asked, this);
  }

  screened({ ctx, request }: CalledRequest): void {
    if (!acceptsDollars(request)) setNoFillHeaders(ctx, CURRENCY_REFUSED);
  }

  answer(
    _asked: CalledRequest,
    { request, currencies, askedBy }: AuctionContext,
    { result }: HeldAuction,
  ): string | null {
    const { sold } = result;
    if (sold.length === 0) return null;
    const { renderWindowMs } = this.#deps.settings;
    const policy = { renderWindowMs, toPage: askedBy.isPage === true, currencies };
    const written = JSON.stringify(bidResponse(request.id, sold, this.#mint, policy));
    // Last: a sale whose answer cannot be written is withdrawn.
    if (policy.toPage) sendUncarriedWins(sold, this.#deps.notices);
    return written;
  }

  #read(body: Buffer, sandboxAsked: boolean): ReadBidRequest {
    const document = parseJson(body);
    try {
      return readBidRequest(document, this.#deps.currencyRates?.current() ?? null);
    } catch (error) {
      if (error instanceof InvalidFloor) throw invalidFloor(this.#deps, document as BidRequest, sandboxAsked, error);
      if (error instanceof InvalidBidRequest) throw this.#invalid(document, sandboxAsked, notABidRequest(error));
      throw error;
    }
  }

  /** Records an invalid request for the publisher that it names, if that can be read. */
  #invalid(document: unknown, sandboxAsked: boolean, error: ApiError): ApiError {
    const publisher = findPublisherByIds(this.#deps.replica, publisherIdsIn(document));
    if (publisher === undefined) return error;
    const { id } = document as { readonly id?: unknown };
    return invalidRequest(this.#deps, publisher, sandboxAsked, error, typeof id === 'string' ? id : '');
  }
}

/** The values, in a document that is no bid request, at the places of the ids that may name the publisher. */
function publisherIdsIn(document: unknown): string[] {
  if (!isObject(document)) return [];
  const inventories = [document.site, document.app, document.dooh].filter(isObject);
  const ids = inventories.flatMap(({ id, publisher }) => [id, isObject(publisher) ? publisher.id : undefined]);
  return ids.filter((id) => typeof id === 'string');
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ApiError('INVALID_JSON');
  }
}

function notABidRequest({ path, message }: InvalidBidRequest): ApiError {
  const what = path === '' ? 'The body' : path;
  const code = message === 'is required' ? 'INVALID_PARAMS' : 'VALIDATION_ERROR';
  return new ApiError(code, `${what} ${message}.`, path === '' ? undefined : path);
}

/**
 * The content types that callers use for bid requests: JSON, or types that pages may send without a preflight (Fetch,
 * "CORS-safelisted request-header"), as Prebid.js does. The parser finds out what a body really is.
 */
const BID_REQUEST_TYPE = /^(?:application\/(?:json|openrtb\+json|octet-stream)|text\/(?:plain|json))\s*(?:;|$)/i;

function requireJson(ctx: Context): void {
  const type = ctx.req.headers['content-type'];
  // A request without a content type is taken as JSON, the only format.
  if (!type || type === 'application/json' || BID_REQUEST_TYPE.test(type)) return;
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'A bid request is JSON: Content-Type must be application/json or text/plain.',
  );
}
