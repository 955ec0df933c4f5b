import type { Context } from 'koa';
import type { PublisherProjection } from '#actors/publisher/fields';
import { plainAddress } from '#edge/addresses/plain-address';
import type { AuctionEndpoint } from '#edge/auction/auction-endpoint';
import type { Auctioneer } from '#edge/auction/auctioneer';
import type { HeldAuction } from '#edge/auction/held-auction';
import type { AdRequest, AuctionContext, KeyHolder } from '#edge/auction-context';
import { invalidFloor, invalidRequest } from '#edge/screening/refuse-request';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import type { VastPlayer } from '#exchange/vast/player';
import { VAST_VERSIONS } from '#exchange/vast/vast-version';
import { ApiError } from '../../errors.ts';
import { isLocalName } from '../../http/local-name.ts';
import { presentedKey } from '../../http/presented-key.ts';
import type { EdgeDeps } from '../deps.ts';
import { browserOf } from '../http/browser-of.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import { traceparentOf } from '../http/traceparent-of.ts';
import type { CallerAuthenticator } from '../openrtb/callers.ts';
import { answerTag } from './answer-tag.ts';
import { isVastFormat, TAG_FORMATS, type TagFormat, tagImp } from './imps.ts';
import { explainNoFill } from './no-fill.ts';
import { asksForPod } from './pod.ts';
import { TagQuery } from './query.ts';
import { type TagPublisher, tagRequest } from './tag-request.ts';

interface TagRequest {
  readonly request: BidRequest;
  readonly player: VastPlayer;
}

/** A parsed tag request, with the call that it came by. */
interface CalledTag extends AdRequest {
  readonly ctx: Context;
  readonly format: TagFormat;
  readonly player: VastPlayer;
}

/**
 * `GET /vast` and `GET /ad`: the same auction for callers without OpenRTB. The exchange makes the final decision here,
 * so the win notice is sent at once.
 */
export class TagEndpoint implements AuctionEndpoint<CalledTag, void> {
  readonly repeats = null;
  readonly #deps: EdgeDeps;
  readonly #auctioneer: Pick<Auctioneer, 'answer'>;
  readonly #callers: Pick<CallerAuthenticator, 'identify'>;

  constructor(deps: EdgeDeps, auctioneer: Pick<Auctioneer, 'answer'>, callers: Pick<CallerAuthenticator, 'identify'>) {
    this.#deps = deps;
    this.#auctioneer = auctioneer;
    this.#callers = callers;
  }

  /** Answers with VAST XML; without fill, with the empty document. */
  async answerVast(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    await this.#respond(ctx, query, query.required('site_id'), 'video');
  }

  /** Answers with HTML for a banner, VAST XML for video and audio, JSON for native. */
  async answerAd(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    const publisherId = query.required('publisher_id');
    query.required('format');
    await this.#respond(ctx, query, publisherId, query.oneOf('format', TAG_FORMATS)!);
  }

  screened(): void {}

  /** Where the tag stays empty, the answer tells developers why. */
  answer({ ctx, key, format, player }: CalledTag, context: AuctionContext, held: HeldAuction): void {
    const { sold } = held.result;
    const isTold = sold.length === 0 && (key !== null || context.sandbox);
    const noFill = isTold ? explainNoFill(context, held, key?.kind === 'account') : null;
    answerTag(ctx, format, sold, player, this.#deps.settings.gzipFromBytes, noFill);
    // Win notices come last: a sale whose answer cannot be written is withdrawn.
    for (const { winNoticeUrl, sale } of sold) {
      if (winNoticeUrl) this.#deps.notices.send('win', winNoticeUrl, sale.dspId);
    }
  }

  async #respond(ctx: Context, query: TagQuery, publisherId: string, format: TagFormat): Promise<void> {
    const receivedMs = this.#deps.clock.monotonic();
    const sandboxAsked = asksForSandbox(ctx);
    const key = this.#developersKey(ctx, query);
    const { player, request } = this.#read(ctx, query, publisherId, format, sandboxAsked);
    const browser = browserOf(ctx);
    const address = plainAddress(ctx.ip);
    const adRequest = {
      ctx,
      format,
      request,
      traceparent: traceparentOf(ctx),
      key,
      sandboxAsked,
      browser,
      address,
      isTag: true,
      isPage: false,
      player,
      receivedMs,
    };
    await this.#auctioneer.answer(adRequest, this);
  }

  /**
   * The key of a developer who wants to know why a tag stays empty; null for all others: a tag is visible to every
   * visitor of its page, and has no key.
   */
  #developersKey(ctx: Context, query: TagQuery): KeyHolder | null {
    if (query.flag('debug') !== 1) return null;
    const key = this.#callers.identify(presentedKey(ctx.req.headers));
    if (key !== null) return key;
    throw new ApiError('UNAUTHORIZED', 'debug=1 says why no ad comes to who shows a key of the account, in X-API-Key.');
  }

  /** Reads the request of a tag. A tag with invalid parameters is recorded for its publisher. */
  #read(ctx: Context, query: TagQuery, publisherId: string, format: TagFormat, sandboxAsked: boolean): TagRequest {
    const { replica, random } = this.#deps;
    const publisher = replica.get<PublisherProjection>('publisher', publisherId);
    try {
      const player: VastPlayer = {
        versions: query.someOf('version', VAST_VERSIONS) ?? null,
        wrappers: query.flag('wrapper') !== 0,
        pod: isVastFormat(format) && asksForPod(query),
      };
      const imp = tagImp(format, query, player, publisher?.type === 'ctv', this.#asksSecure(ctx));
      const request = tagRequest(random.id(), publisher ?? unknownPublisher(publisherId), imp, query, {
        userAgent: ctx.get('User-Agent') || undefined,
        address: plainAddress(ctx.ip) || undefined,
        deviceAddress: plainAddress(ctx.get('X-Device-IP').trim()) || undefined,
        deviceUserAgent: ctx.get('X-Device-User-Agent') || undefined,
        referrer: ctx.get('Referer') || undefined,
      });
      return { player, request: this.#checked(request, sandboxAsked) };
    } catch (error) {
      if (publisher !== undefined && error instanceof ApiError && error.code === 'INVALID_PARAMS') {
        throw invalidRequest(this.#deps, publisher, sandboxAsked, error);
      }
      throw error;
    }
  }

  /**
   * Whether a tag's imp is secure unless the tag says otherwise: always, but on a developer's machine, where this edge
   * is reached by plain HTTP under a local name and its public URL is no HTTPS address.
   */
  #asksSecure(ctx: Context): boolean {
    if (ctx.protocol !== 'http' || ctx.req.headers['x-forwarded-proto'] !== undefined) return true;
    return this.#deps.settings.publicEdgeUrl.startsWith('https:') || !isLocalName(ctx.hostname);
  }

  #checked(request: object, sandboxAsked: boolean): BidRequest {
    try {
      return parseBidRequest(request);
    } catch (error) {
      if (error instanceof InvalidFloor)
        throw invalidFloor(this.#deps, request as BidRequest, sandboxAsked, error, floorParameter(error));
      if (error instanceof InvalidBidRequest) {
        throw new ApiError('INVALID_PARAMS', `${error.path} ${error.message}.`, error.path);
      }
      throw error;
    }
  }
}

function floorParameter({ path }: InvalidFloor): string {
  return path.endsWith('mincpmpersec') ? 'mincpmpersec' : 'floor';
}

/** Stands for an unknown publisher, whose request is refused when it is resolved. */
function unknownPublisher(id: string): TagPublisher {
  return { id, name: '', domain: '', type: 'web', confidential: false };
}
