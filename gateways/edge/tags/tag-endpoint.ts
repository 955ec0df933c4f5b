import type { Context } from 'koa';
import type { PublisherView } from '../../../actors/publisher/view.ts';
import { InvalidBidRequest, InvalidFloor } from '../../../exchange/openrtb/invalid-bid-request.ts';
import { parseBidRequest } from '../../../exchange/openrtb/parse-bid-request.ts';
import { ApiError } from '../../errors.ts';
import type { Auctioneer } from '../auction/auctioneer.ts';
import { placeOrder } from '../auction/place-order.ts';
import type { SoldImp } from '../auction/sold-imp.ts';
import { answerNothing, answerText } from '../http/answer.ts';
import { asksForSandbox } from '../http/sandbox.ts';
import type { EdgeParts } from '../parts.ts';
import { TAG_FORMATS, type TagFormat, tagImp } from './imps.ts';
import { TagQuery } from './query.ts';
import { type TagPublisher, tagRequest } from './tag-request.ts';

/** An empty answer of each kind: a document that shows nothing, and a VAST 4.0 without an ad. */
const EMPTY_HTML = '<!doctype html><title>no ad</title>';
const EMPTY_VAST = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.0" xmlns="http://www.iab.com/VAST"/>\n';

/**
 * `GET /vast` and `GET /ad`: the same auction for those who speak no OpenRTB. The exchange is the last to decide here,
 * so the win notice goes out at once.
 */
export class TagEndpoint {
  readonly #parts: EdgeParts;
  readonly #auctioneer: Auctioneer;

  constructor(parts: EdgeParts, auctioneer: Auctioneer) {
    this.#parts = parts;
    this.#auctioneer = auctioneer;
  }

  /** VAST XML; without fill the empty document. */
  async answerVast(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    await this.#answer(ctx, query, query.required('site_id'), 'video');
  }

  /** HTML for a banner, VAST XML for video, JSON for native. */
  async answerAd(ctx: Context): Promise<void> {
    const query = new TagQuery(ctx.search);
    const publisherId = query.required('publisher_id');
    await this.#answer(ctx, query, publisherId, query.oneOf('format', TAG_FORMATS));
  }

  async #answer(ctx: Context, query: TagQuery, publisherId: string, format: TagFormat): Promise<void> {
    const receivedMs = this.#parts.clock.monotonic();
    const publisher = this.#parts.replica.get<PublisherView>('publisher', publisherId);
    const imp = tagImp(format, query.pixels('w'), query.pixels('h'));
    const request = this.#checked(
      tagRequest(this.#parts.random.id(), publisher ?? stranger(publisherId), imp, query, {
        userAgent: ctx.get('User-Agent') || undefined,
        address: ctx.ip.replace(/^::ffff:(?=\d+\.)/, '') || undefined,
        referrer: ctx.get('Referer') || undefined,
      }),
    );
    const caller = { key: null, sandboxAsked: asksForSandbox(ctx) };
    const order = placeOrder(this.#parts, request, caller, receivedMs);
    const [sold] = await this.#auctioneer.hold(order);
    if (sold?.winNoticeUrl) this.#parts.notices.send('win', sold.winNoticeUrl);
    ctx.set('Cache-Control', 'no-store');
    this.#write(ctx, format, sold);
  }

  #checked(request: object): ReturnType<typeof parseBidRequest> {
    try {
      return parseBidRequest(request);
    } catch (error) {
      if (error instanceof InvalidFloor) throw new ApiError('FORBIDDEN', `Invalid floor: ${error.message}.`, 'floor');
      if (error instanceof InvalidBidRequest) {
        throw new ApiError('INVALID_PARAMS', `${error.path} ${error.message}.`, error.path);
      }
      throw error;
    }
  }

  #write(ctx: Context, format: TagFormat, sold: SoldImp | undefined): void {
    const { gzipFromBytes } = this.#parts.settings;
    if (format === 'native') {
      if (sold) answerText(ctx, 'application/json', sold.adm, gzipFromBytes);
      else answerNothing(ctx);
    } else if (format === 'video') {
      answerText(ctx, 'application/xml; charset=utf-8', sold?.adm ?? EMPTY_VAST, gzipFromBytes);
    } else {
      answerText(ctx, 'text/html; charset=utf-8', sold?.adm ?? EMPTY_HTML, gzipFromBytes);
    }
  }
}

/** Whom nobody knows is refused where every order is placed. */
function stranger(id: string): TagPublisher {
  return { id, name: '', domain: '', type: 'web' };
}
