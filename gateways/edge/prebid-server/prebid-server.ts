import type { Context } from 'koa';
import { isObject } from '#exchange/openrtb/shape';
import { parseUrl } from '#exchange/parse-url';
import { ApiError } from '../../errors.ts';
import { answerJson, answerText } from '../http/answer.ts';
import type { RequestBodyReader } from '../http/body-reads.ts';
import { browserOf } from '../http/browser-of.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { setUntrustedDocumentHeaders } from '../http/untrusted-document.ts';
import type { SyncEndpoint } from '../sync/sync-endpoint.ts';
import { answerBlank } from '../sync/sync-page.ts';
import { TagQuery } from '../tags/query.ts';
import { ampRequest, withAmpSlot } from './amp-request.ts';
import { PrebidAuctions, type PrebidParts } from './auction-endpoint.ts';
import { BidCache } from './bid-cache.ts';
import { BidderCodes } from './bidder-codes.ts';
import { bidderInfo } from './bidder-info.ts';
import { answerCookieSync, readCookieSync } from './cookie-sync.ts';
import { MergedExtent } from './merged-extent.ts';
import { StoredRequests } from './stored-requests.ts';

const OPENRTB_VERSION = ['X-OpenRTB-Version', '2.6'] as const;
const CACHE_NAME = /^[\w-]{1,64}$/;

export interface PrebidServerParts extends Omit<PrebidParts, 'cache' | 'stored'> {
  readonly bodies: RequestBodyReader;
  readonly sync: SyncEndpoint;
  /** Admits an auction, whose body has so many bytes, or refuses it: SERVICE_UNAVAILABLE. */
  readonly auctioned: (ctx: Context, bodyBytes: number, answer: () => Promise<void>) => Promise<void>;
}

/**
 * The endpoints of a Prebid Server whose one bidder is this exchange, for clients that know how to talk to one: the
 * `prebidServerBidAdapter` of Prebid.js, the Prebid SDKs, AMP.
 */
export class PrebidServer {
  readonly #parts: PrebidServerParts;
  readonly #stored: StoredRequests;
  readonly #cache: BidCache;
  readonly #auctions: PrebidAuctions;

  constructor(parts: PrebidServerParts) {
    const { texts, clock, random, settings, replica } = parts.deps;
    const { publicEdgeUrl, prebidCacheBytes: maxBytes } = settings;
    this.#parts = parts;
    this.#stored = new StoredRequests(replica);
    this.#cache = new BidCache({ texts, clock, random, publicEdgeUrl, maxBytes });
    this.#auctions = new PrebidAuctions({ ...parts, cache: this.#cache, stored: this.#stored });
  }

  /** `POST /openrtb2/auction`. */
  async answerAuction(ctx: Context): Promise<void> {
    const receivedMs = this.#parts.deps.clock.monotonic();
    const body = await this.#body(ctx);
    await this.#parts.auctioned(ctx, body.length, async () => {
      const { response } = await this.#auctions.hold(ctx, parseJson(body), body, 'auction', receivedMs);
      answerJson(ctx, OPENRTB_VERSION, JSON.stringify(response), this.#gzipFromBytes);
    });
  }

  /** `GET /openrtb2/amp`: key values alone, by which the ad server's creative finds the bid in the cache. */
  async answerAmp(ctx: Context): Promise<void> {
    const { deps, auctioned } = this.#parts;
    const receivedMs = deps.clock.monotonic();
    await auctioned(ctx, 0, async () => {
      this.#requireReplica();
      const asked = ampRequest(ctx.search);
      const account = new TagQuery(ctx.search).text('account') ?? null;
      const { document, sourceId } = this.#stored.complete(asked, account, new MergedExtent());
      // Each view of the slot is an auction of its own, under an id of its own.
      const { id: _, ...slot } = withAmpSlot(document, ctx.search);
      const site = isObject(slot.site) ? slot.site : {};
      const owned = sourceId === null ? slot : { ...slot, site: { ...site, publisher: { id: sourceId } } };
      const body = Buffer.from(JSON.stringify(owned));
      const { response, targeting } = await this.#auctions.hold(ctx, owned, body, 'amp', receivedMs);
      const { ext } = response as { readonly ext: object };
      const origin = new TagQuery(ctx.search).text('__amp_source_origin') ?? ctx.get('Origin');
      if (parseUrl(origin)?.origin === origin) {
        ctx.set('AMP-Access-Control-Allow-Source-Origin', origin);
        ctx.append('Access-Control-Expose-Headers', 'AMP-Access-Control-Allow-Source-Origin');
      }
      // Each answer is a sale of its own.
      ctx.set('Cache-Control', 'no-store');
      answerJson(ctx, OPENRTB_VERSION, JSON.stringify({ targeting, ext }), this.#gzipFromBytes);
    });
  }

  /** `POST /cookie_sync`: which syncs the page is to make; they are the exchange's own `/sync`. */
  async answerCookieSync(ctx: Context): Promise<void> {
    const body = parseJson(await this.#body(ctx));
    if (!isObject(body)) throw new ApiError('VALIDATION_ERROR', 'The body must be an object.');
    this.#requireReplica();
    const { deps, sync } = this.#parts;
    const { publicEdgeUrl, prebidBidderCode: ownCode } = deps.settings;
    const answer = answerCookieSync(
      { sync, replica: deps.replica, publicEdgeUrl, ownCode },
      readCookieSync(body),
      browserOf(ctx),
      asksForSandbox(ctx),
    );
    this.#json(ctx, answer);
  }

  /**
   * `GET /setuid?bidder=…&uid=…`: a buyer reports its id of the browser, as to `/sync/set`. `bidder` is a demand
   * source; for the exchange itself there is nothing to store, since its own cookie has its id.
   */
  setUid(ctx: Context): void {
    const query = new TagQuery(ctx.search);
    const bidder = query.required('bidder');
    const form = query.oneOf('f', ['i', 'b']) === 'b' ? 'iframe' : 'pixel';
    if (new BidderCodes(this.#parts.deps.settings.prebidBidderCode).isOurs(bidder)) {
      answerBlank(ctx, form);
      return;
    }
    this.#parts.sync.set(ctx, { dspId: bidder, form });
  }

  /** `GET /status`: 200 once this edge can hold auctions. */
  answerStatus(ctx: Context): void {
    this.#requireReplica();
    ctx.set('Cache-Control', 'no-store');
    answerText(ctx, 'text/plain', 'ok', this.#gzipFromBytes);
  }

  /** `GET /info/bidders`: the codes that may be asked. */
  listBidders(ctx: Context): void {
    this.#json(ctx, [this.#parts.deps.settings.prebidBidderCode]);
  }

  /** `GET /info/bidders/{name}`, or `all`. */
  describeBidder(ctx: Context, name: string): void {
    const { publicEdgeUrl, prebidBidderCode } = this.#parts.deps.settings;
    const info = bidderInfo(publicEdgeUrl);
    if (name.toLowerCase() === 'all') this.#json(ctx, { [prebidBidderCode]: info });
    else if (new BidderCodes(prebidBidderCode).isOurs(name)) this.#json(ctx, info);
    else throw new ApiError('NOT_FOUND', 'There is no bidder of this name.');
  }

  /** `GET /cache?uuid=…`: a bid, or its VAST, for the creative of an ad server. */
  async answerCached(ctx: Context): Promise<void> {
    const name = new TagQuery(ctx.search).required('uuid');
    const found = CACHE_NAME.test(name) ? await this.#cache.find(name).catch(unavailable) : null;
    if (found === null) throw new ApiError('NOT_FOUND', 'Nothing is cached under this uuid, or no longer.');
    setUntrustedDocumentHeaders(ctx);
    ctx.set('Cache-Control', 'no-store');
    answerText(ctx, found.type, found.text, this.#gzipFromBytes);
  }

  get #gzipFromBytes(): number {
    return this.#parts.deps.settings.gzipFromBytes;
  }

  async #body(ctx: Context): Promise<Buffer> {
    try {
      return await this.#parts.bodies.read(ctx.req);
    } catch (error) {
      // The missing rest of the body may never come.
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      throw error;
    }
  }

  #requireReplica(): void {
    if (!this.#parts.deps.replica.ready)
      throw new ApiError('SERVICE_UNAVAILABLE', 'The edge is still learning the catalogue.');
  }

  #json(ctx: Context, document: unknown): void {
    ctx.set('Cache-Control', 'no-store');
    answerText(ctx, 'application/json', JSON.stringify(document), this.#gzipFromBytes);
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ApiError('INVALID_JSON');
  }
}

function unavailable(): never {
  throw new ApiError('SERVICE_UNAVAILABLE', 'The cache does not answer.');
}
