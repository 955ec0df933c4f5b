import type { AdFormat } from '#exchange/auction/ad-format';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Bid, BidResponse } from '#exchange/openrtb/bid-response';
import type { BidCache } from './bid-cache.ts';
import type { BidderMessage, PrebidAuction } from './read-auction.ts';
import { type CachedBid, type TargetedBid, targetingOf } from './targeting.ts';

/** A held auction, as the answer to a client of Prebid Server tells of it. */
export interface HeldPrebidAuction {
  readonly asked: PrebidAuction;
  readonly request: BidRequest;
  /** What the same request gets from `POST /rtb`. */
  readonly response: BidResponse;
  readonly tookMs: number;
  /** ms since the Unix epoch. */
  readonly atMs: number;
  readonly endpoint: 'auction' | 'amp';
  /** `POST /rtb` of this exchange, which `ext.debug` names as the bidder's address. */
  readonly bidderUrl: string;
}

/** An imp without a bid (OpenRTB community extension "seat non-bid", "Non-Bid Status Codes"). */
const NO_BID = 0;
const REQUEST_BLOCKED = 200;
const NO_CONTENT = 204;
const OK = 200;

/** The most characters that `ext.debug` repeats; what is text within JSON is escaped once more. */
const MAX_DEBUG = 262_144;
/** Prebid Server's code for a warning that has none of its own. */
const OTHER_WARNING = 999;

const FORMATS: Readonly<Record<number, AdFormat>> = { 1: 'banner', 2: 'video', 3: 'audio', 4: 'native' };

/** The answer to a client of Prebid Server, and the key values of its winners. */
export interface PrebidAnswer {
  readonly response: object;
  /** Of all imps together, for endpoints with one imp. */
  readonly targeting: Readonly<Record<string, string>>;
}

/**
 * Writes the answer of Prebid Server: 200 with `seatbid`, empty where nothing was sold. Each seat is the code that was
 * asked for, whoever bought; each bid has its `mtype` and `ext.prebid` with type, targeting, metadata and cache. Prices
 * are in the answer's currency. Bids that clients fetch later are stored before the answer leaves, as far as the cache
 * takes them within `withinMs`.
 */
export async function answerAuction(held: HeldPrebidAuction, cache: BidCache, withinMs: number): Promise<PrebidAnswer> {
  const { asked, request, response } = held;
  const bids = (response.seatbid ?? []).flatMap(({ bid }) => bid).map((bid) => withSize(bid, request));
  const highest = new Map<string, Bid>();
  for (const bid of bids) if (bid.price > (highest.get(bid.impid)?.price ?? 0)) highest.set(bid.impid, bid);
  const seats = new Map<string, object[]>();
  const targeting: Record<string, string> = {};
  const isStored = asked.caches.bids || asked.caches.vast;
  // At once: a cache that does not answer holds the answer up once, and not once for each bid.
  const stored = isStored ? await Promise.all(bids.map((bid) => cache.store(bid, asked.caches, withinMs))) : null;
  for (const [index, bid] of bids.entries()) {
    const imp = asked.imps.get(bid.impid)!;
    const cached = stored?.[index] ?? null;
    const isHighest = highest.get(bid.impid) === bid;
    const keys = keysOf(held, bid, { code: imp.code, isHighest, cached });
    if (isHighest) Object.assign(targeting, keys);
    seats.set(imp.code, [...(seats.get(imp.code) ?? []), answeredBid(bid, response.cur, imp, keys, cached, cache)]);
  }
  const answered = {
    id: response.id,
    seatbid: [...seats].map(([seat, bid]) => ({ seat, bid, group: 0 })),
    cur: response.cur,
    ext: extOf(held, new Set(bids.map(({ impid }) => impid)), targeting),
  };
  return { response: answered, targeting };
}

function keysOf(
  { asked, request, endpoint }: HeldPrebidAuction,
  bid: Bid,
  of: Pick<TargetedBid, 'code' | 'isHighest' | 'cached'>,
): Record<string, string> | null {
  // Of several ads for one imp, the ad server learns of the highest alone.
  if (asked.targeting === null || !of.isHighest) return null;
  const environment = endpoint === 'amp' ? 'amp' : request.app === undefined ? null : 'mobile-app';
  const targeted = {
    ...of,
    priceCpmMicros: Math.round(bid.price * 1_000_000),
    format: FORMATS[bid.mtype!]!,
    size: bid.w && bid.h ? { w: bid.w, h: bid.h } : null,
    dealId: bid.dealid,
  };
  return targetingOf(asked.targeting, targeted, environment);
}

/** A banner without a size has that of its imp, where the imp offers one alone: SDKs size their views by it. */
function withSize(bid: Bid, { imp }: BidRequest): Bid {
  const banner = imp.find(({ id }) => id === bid.impid)?.banner;
  if (bid.mtype !== 1 || (bid.w && bid.h) || banner === undefined) return bid;
  const [only, ...others] = banner.format ?? [banner];
  return others.length === 0 && only?.w && only.h ? { ...bid, w: only.w, h: only.h } : bid;
}

function answeredBid(
  bid: Bid,
  currency: string | undefined,
  { passthrough }: { readonly passthrough: unknown },
  targeting: Record<string, string> | null,
  cached: CachedBid | null,
  cache: BidCache,
): object {
  const type = FORMATS[bid.mtype!]!;
  const bids = cached?.bidId ? { url: cache.urlOf(cached.bidId), cacheId: cached.bidId } : undefined;
  const vastXml = cached?.vastId ? { url: cache.urlOf(cached.vastId), cacheId: cached.vastId } : undefined;
  const prebid = {
    type,
    ...(targeting !== null && { targeting }),
    meta: { mediaType: type, ...(bid.adomain !== undefined && { advertiserDomains: bid.adomain }) },
    ...(type === 'video' && bid.dur !== undefined && { video: { duration: bid.dur } }),
    ...(cached !== null && {
      cache: {
        key: (bids ?? vastXml)!.cacheId,
        url: (bids ?? vastXml)!.url,
        ...(bids && { bids }),
        ...(vastXml && { vastXml }),
      },
    }),
    ...(passthrough !== undefined && { passthrough }),
  };
  return { ...bid, ext: { ...bid.ext, origbidcpm: bid.price, origbidcur: currency, prebid } };
}

function extOf(
  held: HeldPrebidAuction,
  sold: ReadonlySet<string>,
  targeting: Readonly<Record<string, string>>,
): object {
  const { asked, request, tookMs, atMs, endpoint } = held;
  const codes = new Set([...asked.imps.values()].map(({ code }) => code));
  const nonBids = asked.tellsAllStatuses ? seatNonBids(asked, sold) : null;
  const debug = asked.isDebug ? debugOf(held) : null;
  return {
    ...(asked.errors.size > 0 && { errors: Object.fromEntries(asked.errors) }),
    ...(debug?.warning && { warnings: { prebid: [debug.warning] } }),
    responsetimemillis: Object.fromEntries([...codes].map((code) => [code, Math.round(tookMs)])),
    ...(request.tmax !== undefined && { tmaxrequest: request.tmax }),
    ...(debug?.told && { debug: debug.told }),
    // Prebid Server's two programs have them at different places, and clients look at either.
    ...(nonBids !== null && { seatnonbid: nonBids }),
    prebid: {
      auctiontimestamp: atMs,
      ...(asked.passthrough !== undefined && { passthrough: asked.passthrough }),
      ...(nonBids !== null && { seatnonbid: nonBids }),
      ...(endpoint === 'amp' && { targeting }),
    },
  };
}

/** Why imps have no bid; who bid in the auction, and what, is told to nobody. */
function seatNonBids({ imps, unknown }: PrebidAuction, sold: ReadonlySet<string>): object[] {
  const seats = new Map<string, { impid: string; statuscode: number }[]>();
  for (const [impid, { code }] of imps) {
    if (!sold.has(impid)) seats.set(code, [...(seats.get(code) ?? []), { impid, statuscode: NO_BID }]);
  }
  for (const [code, impIds] of unknown) {
    seats.set(
      code,
      impIds.map((impid) => ({ impid, statuscode: REQUEST_BLOCKED })),
    );
  }
  return [...seats].map(([seat, nonbid]) => ({ seat, nonbid }));
}

/**
 * What this exchange was asked as a bidder, and answered; what its own bidders were asked and answered is theirs. One
 * call was made, under whatever codes: it stands under the first. Where it is too large to be repeated, a warning says
 * so.
 */
function debugOf({ asked, request, response, bidderUrl }: HeldPrebidAuction): {
  readonly told?: object;
  readonly warning?: BidderMessage;
} {
  const isSold = (response.seatbid ?? []).length > 0;
  const requestbody = JSON.stringify(asked.request);
  const responsebody = isSold ? JSON.stringify(response) : '';
  const resolvedrequest = { ...asked.resolved, id: request.id };
  if (requestbody.length + responsebody.length + JSON.stringify(resolvedrequest).length > MAX_DEBUG) {
    const message = `debug is left out: it would repeat more than ${MAX_DEBUG} characters.`;
    return { warning: { code: OTHER_WARNING, message } };
  }
  const call = {
    uri: bidderUrl,
    requestbody,
    requestheaders: { 'Content-Type': ['application/json'] },
    responsebody,
    status: isSold ? OK : NO_CONTENT,
  };
  const code = asked.imps.values().next().value!.code;
  return { told: { httpcalls: { [code]: [call] }, resolvedrequest } };
}
