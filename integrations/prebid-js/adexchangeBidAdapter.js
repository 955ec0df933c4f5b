import { ortbConverter } from '../libraries/ortbConverter/converter.js';
import { getUserSyncParams } from '../libraries/userSyncUtils/userSyncUtils.js';
import { registerBidder } from '../src/adapters/bidderFactory.js';
import { ajax } from '../src/ajax.js';
import { config } from '../src/config.js';
import {
  EVENT_TYPE_IMPRESSION,
  EVENT_TYPE_VIEWABLE,
  EVENT_TYPE_WIN,
  TRACKER_METHOD_IMG,
} from '../src/eventTrackers.js';
import { AUDIO, BANNER, NATIVE, VIDEO } from '../src/mediaTypes.js';
import { deepAccess, deepSetValue, logError, logWarn } from '../src/utils.js';

/**
 * @typedef {import('../src/adapters/bidderFactory.js').BidderSpec} BidderSpec
 * @typedef {import('./adexchangeBidAdapter.d.ts').AdexchangeBidderParams} AdexchangeBidderParams
 * @typedef {{ origin: string, publisherId: string, sandbox: boolean }} Seller The exchange and the supply source of it.
 */

const BIDDER_CODE = 'adexchange';
/** The currency in which the exchange keeps its books, and in which it compares floors. */
const BOOKS_CURRENCY = 'USD';
/** Seconds that a bid without `exp` can be rendered for. */
const TTL_SECONDS = 300;
const MTYPE_AUDIO = 3;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const LOCAL_HOST = /^(?:(?:[^:]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;
const UNSTATED_MIMES = { [VIDEO]: ['video/mp4'], [AUDIO]: ['audio/mpeg', 'audio/mp4'] };

/** Those that were asked on this page, whose buyers may be synced. @type {Map<string, Seller>} */
const askedSellers = new Map();

export const converter = ortbConverter({
  context: {
    // `price` is what the advertiser pays. The exchange's fee is taken from it when the impression is billed.
    netRevenue: false,
    ttl: TTL_SECONDS,
    nativeRequest: {
      eventtrackers: [EVENT_TYPE_IMPRESSION, EVENT_TYPE_VIEWABLE].map((event) => ({
        event,
        methods: [TRACKER_METHOD_IMG],
      })),
    },
  },
  imp(buildImp, bidRequest, context) {
    const imp = buildImp(bidRequest, context);
    const { placementId } = bidRequest.params;
    if (placementId != null && placementId !== '') imp.tagid = String(placementId);
    [VIDEO, AUDIO].forEach((medium) => {
      // OpenRTB requires them: a request that lacks them is invalid as a whole, with its other imps.
      if (imp[medium] && !imp[medium].mimes?.length) imp[medium].mimes = UNSTATED_MIMES[medium];
    });
    const isStated = deepAccess(bidRequest, 'ortb2Imp.secure') != null;
    if (!isStated && context.reqContext.seller.origin.startsWith('http:')) imp.secure = 0;
    const offers = offersOf(imp);
    // An imp of no format would make the whole request invalid, too.
    if (offers.length === 0) return undefined;
    setFloor(imp, bidRequest, offers);
    return imp;
  },
  request(buildRequest, imps, bidderRequest, context) {
    const request = buildRequest(imps, bidderRequest, context);
    const inventory = ['app', 'dooh'].find((kind) => request[kind] != null) ?? 'site';
    deepSetValue(request, `${inventory}.publisher.id`, context.seller.publisherId);
    // The currency module converts what comes in the exchange's own currency.
    request.cur = [...new Set([...(request.cur ?? []), BOOKS_CURRENCY])];
    return request;
  },
  bidResponse(buildBidResponse, bid, context) {
    const { burl, nurl, ...shown } = bid;
    const bidResponse = buildBidResponse(shown, bid.mtype === MTYPE_AUDIO ? { ...context, mediaType: AUDIO } : context);
    const { mediaType, meta } = bidResponse;
    meta.mediaType = mediaType;
    if (context.seatbid.seat) meta.demandSource = String(context.seatbid.seat);
    if (mediaType === NATIVE) keepImpressionTrackers(bidResponse.native.ortb, context.bidRequest.nativeOrtbRequest);
    // The markup bills the impression, once, when it is rendered; `burl`, which would bill it without that, stays behind.
    // `nurl` tells of a win and is no part of the markup, as which Prebid.js takes it.
    bidResponse.eventtrackers = [...(bidResponse.eventtrackers ?? []), ...trackersOf({ burl, nurl, mediaType })];
    return bidResponse;
  },
});

/**
 * The lowest floor of all that the imp offers, each asked for by its media type and size: bids that are above their own
 * floor are never kept back, and the floors module rejects the others.
 */
function setFloor(imp, bidRequest, offers) {
  if (typeof bidRequest.getFloor !== 'function') return;
  const floors = offers.map(({ mediaType, size }) => {
    const { currency, floor } = bidRequest.getFloor({ currency: BOOKS_CURRENCY, mediaType, size }) ?? {};
    return currency === BOOKS_CURRENCY && floor > 0 ? Number(floor) : 0;
  });
  delete imp.bidfloor;
  delete imp.bidfloorcur;
  const lowest = Math.min(...floors);
  if (!(lowest > 0)) return;
  imp.bidfloor = lowest;
  imp.bidfloorcur = BOOKS_CURRENCY;
}

function offersOf(imp) {
  return [BANNER, VIDEO, AUDIO, NATIVE]
    .filter((mediaType) => imp[mediaType] != null)
    .flatMap((mediaType) => sizesOf(imp[mediaType], mediaType).map((size) => ({ mediaType, size })));
}

function sizesOf({ format, w, h }, mediaType) {
  if (mediaType === BANNER && format?.length) {
    return format.map((one) => (one.w && one.h ? [one.w, one.h] : '*'));
  }
  return [w && h ? [w, h] : '*'];
}

/**
 * Prebid.js fires those event trackers of a native ad that its ad unit asks for. Where that leaves out impressions, the
 * trackers of impressions become `imptrackers`, which are always fired: what is shown is billed.
 */
function keepImpressionTrackers(native, { eventtrackers: asked } = {}) {
  const isImpression = ({ event, method }) => event === EVENT_TYPE_IMPRESSION && method === TRACKER_METHOD_IMG;
  const isAsked = ({ event, methods }) => event === EVENT_TYPE_IMPRESSION && methods?.includes(TRACKER_METHOD_IMG);
  if (asked == null || asked.some(isAsked) || !native.eventtrackers) return;
  const moved = native.eventtrackers.filter(isImpression).map(({ url }) => url);
  native.imptrackers = [...(native.imptrackers ?? []), ...moved];
  native.eventtrackers = native.eventtrackers.filter((tracker) => !isImpression(tracker));
}

/**
 * What Prebid.js fires for a bid beside its markup: the win notice, and the report of a view of a banner. Native ads bring
 * the latter themselves, players report the views of videos, and audio has none.
 */
function trackersOf({ burl, nurl, mediaType }) {
  const trackers = [];
  if (nurl) trackers.push({ event: EVENT_TYPE_WIN, url: nurl });
  if (burl && mediaType === BANNER) trackers.push({ event: EVENT_TYPE_VIEWABLE, url: viewUrl('viewable', burl) });
  return trackers.map((tracker) => ({ ...tracker, method: TRACKER_METHOD_IMG }));
}

/** The address of a report of a view. `tracked`: a URL of the exchange with the query of the ad's tracking URL. */
function viewUrl(event, tracked) {
  const { origin, search } = new URL(tracked);
  return `${origin}${viewPath(event)}&${search.slice(1)}`;
}

function viewPath(event) {
  return `/track/view?event=${event}`;
}

function report(url) {
  ajax(url, () => {}, '', { method: 'POST', keepalive: true });
}

/** @param {AdexchangeBidderParams} params @returns {Seller | null} null where they name none. */
function sellerOf(params) {
  const host = params?.host ?? config.getConfig(`${BIDDER_CODE}.host`);
  const publisherId = params?.publisherId;
  if (typeof host !== 'string' || !HOST.test(host)) return null;
  if (typeof publisherId !== 'string' || publisherId.trim() === '') return null;
  const origin = `${LOCAL_HOST.test(host) ? 'http' : 'https'}://${host}`;
  return { origin, publisherId: publisherId.trim(), sandbox: params.sandbox === true };
}

function keyOf({ origin, publisherId, sandbox }) {
  return `${origin} ${publisherId} ${sandbox}`;
}

/** Groups by seller: by what is asked in one request. @returns {{ seller: Seller, members: object[] }[]} */
function bySeller(members, paramsOf) {
  const groups = new Map();
  members.forEach((member) => {
    const seller = sellerOf(paramsOf(member));
    if (seller === null) return;
    const key = keyOf(seller);
    if (!groups.has(key)) groups.set(key, { seller, members: [] });
    groups.get(key).members.push(member);
  });
  return [...groups.values()];
}

function query(parameters) {
  return new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value != null && value !== ''),
  ).toString();
}

/** @type {BidderSpec} */
export const spec = {
  code: BIDDER_CODE,
  supportedMediaTypes: [BANNER, VIDEO, NATIVE, AUDIO],

  isBidRequestValid(bid) {
    return sellerOf(bid.params) !== null;
  },

  buildRequests(bidRequests, bidderRequest) {
    return bySeller(bidRequests, ({ params }) => params).flatMap(({ seller, members }) => {
      const data = converter.toORTB({ bidRequests: members, bidderRequest, context: { seller } });
      if (data.imp.length === 0) return [];
      askedSellers.set(keyOf(seller), seller);
      const url = `${seller.origin}/rtb${seller.sandbox ? '?sandbox=true' : ''}`;
      // No preflight is made for it, and the exchange recognises the viewer by its cookie.
      return [{ method: 'POST', url, data, options: { contentType: 'text/plain', withCredentials: true } }];
    });
  },

  interpretResponse({ body }, { data }) {
    // 204 without a winner: the body is empty.
    if (!body?.seatbid) return [];
    return converter.fromORTB({ request: data, response: body }).bids;
  },

  getUserSyncs({ iframeEnabled, pixelEnabled }, _responses, gdprConsent, uspConsent, gppConsent, coppa) {
    if (coppa || !(iframeEnabled || pixelEnabled)) return [];
    const consent = getUserSyncParams(gdprConsent, null, gppConsent);
    return [...askedSellers.values()].map(({ origin, publisherId, sandbox }) => {
      const parameters = {
        type: iframeEnabled ? 'iframe' : 'pixel',
        publisher_id: publisherId,
        sandbox: sandbox || null,
        ...consent,
        us_privacy: uspConsent,
      };
      return { type: iframeEnabled ? 'iframe' : 'image', url: `${origin}/sync?${query(parameters)}` };
    });
  },

  onTimeout(timedOut) {
    // `params` are those of all of the ad unit's bids of this bidder.
    bySeller(timedOut, ({ params }) => [params].flat()[0]).forEach(({ seller, members }) => {
      const { origin, publisherId, sandbox } = seller;
      const parameters = {
        publisher_id: publisherId,
        imps: members.length,

        sandbox: sandbox || null,
      };
      report(`${origin}/track/timeout?${query(parameters)}`);
    });
  },

  /** Says in the page's console what the exchange's answer says, such as a page that the supply source has not named. */
  onBidderError({ error, bidderRequest }) {
    let detail = error?.reason?.message ?? error?.statusText ?? '';
    try {
      const { code, message } = JSON.parse(error.responseText).error;
      detail = `${code}: ${message}`;
    } catch {
      // No answer, or none of the exchange's.
    }
    const say = error?.timedOut ? logWarn : logError;
    say(
      `${BIDDER_CODE}: ${error?.timedOut ? 'no answer in time' : `status ${error?.status}`} ${detail}`,
      bidderRequest,
    );
  },

  /** Where a module measures views, a rendered banner can be seen or not; elsewhere nobody would tell. */
  onAdRenderSucceeded({ eventtrackers }) {
    if (!['bidViewability', 'bidViewabilityIO'].some((module) => config.getConfig(module)?.enabled === true)) return;
    const viewed = eventtrackers?.find(({ url }) => url.includes(viewPath('viewable')));
    if (viewed) report(viewed.url.replace(viewPath('viewable'), viewPath('measurable')));
  },
};

registerBidder(spec);
