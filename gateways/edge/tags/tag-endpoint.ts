import type { Context } from 'koa';
import type { PublisherView } from '../../../actors/publisher/fields.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';
import { InvalidBidRequest, InvalidFloor } from '../../../exchange/openrtb/invalid-bid-request.ts';
import { parseBidRequest } from '../../../exchange/openrtb/parse-bid-request.ts';
import type { VastPlayer } from '../../../exchange/vast/player.ts';
import { VAST_VERSIONS } from '../../../exchange/vast/vast-version.ts';
import { ApiError } from '../../errors.ts';
import { parseIp } from '../../http/ip-address.ts';
import { isLocalName } from '../../http/local-name.ts';
import { plainAddress } from '../../http/plain-address.ts';
import { shownKey } from '../../http/shown-key.ts';
import type { Auctioneer } from '../auction/auctioneer.ts';
import { placeOrder } from '../auction/place-order.ts';
import type { Demand } from '../explorer/describe-parts.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import type { Callers, KeyHolder } from '../openrtb/callers.ts';
import type { EdgeParts } from '../parts.ts';
import { invalidFloor, refuseBlocked } from '../screening/refuse-blocked.ts';
import { invalidRequest } from '../screening/refuse-invalid.ts';
import { browserOf } from '../viewer/browser.ts';
import { answerTag } from './answer-tag.ts';
import { isPlayed, TAG_FORMATS, type TagFormat, tagImp } from './imps.ts';
import { type NoFill, noFillOf } from './no-fill.ts';
import { asksForPod } from './pod.ts';
import { TagQuery } from './query.ts';
import { type TagPublisher, tagRequest } from './tag-request.ts';

interface TagRequest {
  readonly request: BidRequest;
  readonly player: VastPlayer;
}

/**
 * `GET /vast` and `GET /ad`: the same auction for those who speak no OpenRTB. The exchange is the last to decide here,
 * so the win notice goes out at once.
 */
export class TagEndpoint {
  readonly #parts: EdgeParts;
  readonly #auctioneer: Auctioneer;
  readonly #callers: Pick<Callers, 'identify'>;

  constructor(parts: EdgeParts, auctioneer: Auctioneer, callers: Pick<Callers, 'identify'>) {
    this.#parts = parts;
    this.#auctioneer = auctioneer;
    this.#callers = callers;
  }

  /** VAST XML; without fill the empty document. */
  async answerVast(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    await this.#answer(ctx, query, query.required('site_id'), 'video');
  }

  /** HTML for a banner, VAST XML for video and audio, JSON for native. */
  async answerAd(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    const publisherId = query.required('publisher_id');
    query.required('format');
    await this.#answer(ctx, query, publisherId, query.oneOf('format', TAG_FORMATS)!);
  }

  async #answer(ctx: Context, query: TagQuery, publisherId: string, format: TagFormat): Promise<void> {
    const receivedMs = this.#parts.clock.monotonic();
    const sandboxAsked = asksForSandbox(ctx);
    const key = this.#developersKey(ctx, query);
    const { player, request } = this.#read(ctx, query, publisherId, format, sandboxAsked);
    const caller = { key, sandboxAsked, browser: browserOf(ctx), address: plainAddress(ctx.ip), isTag: true };
    const order = { ...placeOrder(this.#parts, request, caller, receivedMs), player };
    refuseBlocked(this.#parts, order);
    let noFill: NoFill | null = null;
    const isOwner = key?.kind === 'account';
    const unsold = (demand: Demand) => {
      noFill = noFillOf(order, demand, isOwner);
    };
    const sold = await this.#auctioneer.hold(order, key !== null || order.sandbox ? unsold : undefined);
    for (const { winNoticeUrl, sale } of sold) {
      if (winNoticeUrl) this.#parts.notices.send('win', winNoticeUrl, sale.dspId);
    }
    answerTag(ctx, format, sold, player, this.#parts.settings.gzipFromBytes, noFill);
  }

  /** Of who wants to know why a tag stays empty; null for everybody else: a tag is seen by whoever sees its page, and shows no key. */
  #developersKey(ctx: Context, query: TagQuery): KeyHolder | null {
    if (query.flag('debug') !== 1) return null;
    const key = this.#callers.identify(shownKey(ctx.req.headers));
    if (key !== null) return key;
    throw new ApiError('UNAUTHORIZED', 'debug=1 says why no ad comes to who shows a key of the account, in X-API-Key.');
  }

  /** What the tag asks for. A tag that asks for what there is not is recorded for its publisher. */
  #read(ctx: Context, query: TagQuery, publisherId: string, format: TagFormat, sandboxAsked: boolean): TagRequest {
    const { replica, random } = this.#parts;
    const publisher = replica.get<PublisherView>('publisher', publisherId);
    try {
      const player: VastPlayer = {
        versions: query.someOf('version', VAST_VERSIONS) ?? null,
        wrappers: query.flag('wrapper') !== 0,
        pod: isPlayed(format) && asksForPod(query),
      };
      const imp = tagImp(format, query, player, publisher?.type === 'ctv', this.#asksSecure(ctx));
      const request = tagRequest(random.id(), publisher ?? stranger(publisherId), imp, query, {
        userAgent: ctx.get('User-Agent') || undefined,
        address: plainAddress(ctx.ip) || undefined,
        deviceAddress: addressIn(ctx.get('X-Device-IP')),
        deviceUserAgent: ctx.get('X-Device-User-Agent') || undefined,
        referrer: ctx.get('Referer') || undefined,
      });
      return { player, request: this.#checked(request, sandboxAsked) };
    } catch (error) {
      if (publisher !== undefined && error instanceof ApiError && error.code === 'INVALID_PARAMS') {
        throw invalidRequest(this.#parts, publisher, sandboxAsked, error);
      }
      throw error;
    }
  }

  /**
   * Whether a tag wants what is secure unless it says otherwise: always, but on a developer's machine, where this edge is reached by plain
   * HTTP under a local name and is not itself known by an HTTPS address.
   */
  #asksSecure(ctx: Context): boolean {
    if (ctx.protocol !== 'http' || ctx.req.headers['x-forwarded-proto'] !== undefined) return true;
    return this.#parts.settings.publicEdgeUrl.startsWith('https:') || !isLocalName(ctx.hostname);
  }

  #checked(request: object, sandboxAsked: boolean): BidRequest {
    try {
      return parseBidRequest(request);
    } catch (error) {
      if (error instanceof InvalidFloor)
        throw invalidFloor(this.#parts, request as BidRequest, sandboxAsked, error, floorParameter(error));
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

/** Undefined for what is none. */
function addressIn(text: string): string | undefined {
  return text !== '' && parseIp(text) !== null ? text : undefined;
}

/** Whom nobody knows is refused where every order is placed. */
function stranger(id: string): TagPublisher {
  return { id, name: '', domain: '', type: 'web' };
}
