import { CURRENCY } from '../currency/currency.ts';
import { dollarMicros } from '../currency/currency-rates.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { type OfferedBid, seatOf } from '../openrtb/parse-bid-response.ts';
import { type AdFormat, formatOf } from './ad-format.ts';
import type { BlockLists } from './block-lists.ts';
import { fitsBanner } from './creative-size.ts';
import { dealOf, dealRefusal, hasAgreedPrice } from './deals.ts';
import { fitsDuration } from './durations.ts';
import { dealFloorCpmMicros, hasNoHighestFloor, impFloorCpmMicros } from './floors.ts';
import type { LossReason } from './loss-reason.ts';
import { lacksMraid } from './mraid.ts';
import type { AdBreak } from './pods/ad-break.ts';
import { holdsPosition } from './pods/pod-placement.ts';
import type { Rejection } from './rejection.ts';
import { withoutQuery } from './secure-markup.ts';

/**
 * Why a bid's creative must not be shown; undefined where it may be. `advertisers` are the domains of its advertiser.
 */
export type CreativeJudge = (
  bid: Bid,
  dspId: string,
  advertisers: readonly string[] | undefined,
) => LossReason | undefined;

/** The rules that all bids of one auction must meet. */
export interface AuctionRules {
  readonly request: BidRequest;
  readonly blockLists: BlockLists;
  /** See `adBreaks`. */
  readonly breaks: ReadonlyMap<string, AdBreak>;
  readonly rejected: ReadonlyMap<Bid, Rejection> | undefined;
  /** By what people decided; undefined where nothing is decided. */
  readonly review: CreativeJudge | undefined;
  /** See `AuctionInput`. */
  readonly insecureUrlOf: (markup: string, bid: Bid) => string | null;
  /** The higher of the publisher's and the pool's floor: whole micro-dollars CPM. */
  readonly sellerFloorCpmMicros: number;
}

/** The properties of the offer that a bid belongs to. */
export interface OfferContext {
  readonly dspId: string;
  readonly currency: string;
  /** See `DspOffer`. */
  readonly dollarsPerUnit?: number;
  /** See `DspOffer`. */
  readonly rendered?: boolean;
}

/** The judgement of one bid. Prices are whole micro-dollars CPM. */
export interface BidVerdict {
  /** Undefined: the bid may compete. */
  readonly refusal: LossReason | undefined;
  /**
   * What caused the refusal, where its reason alone does not say it: the first URL that is loaded insecurely, or why
   * the markup could not be sold.
   */
  readonly detail: string | null;
  /** Null only where the bid is refused. */
  readonly format: AdFormat | null;
  /** Null where the bid names no readable price in US dollars. */
  readonly priceCpmMicros: number | null;
  /**
   * The highest of the imp's, the deal's, the publisher's and the pool's floor; of a deal with an agreed price, that
   * one.
   */
  readonly floorCpmMicros: number;
  /** What the bid pays when it wins. Bids compete with this price. */
  readonly clearingCpmMicros: number;
}

/**
 * Judges a bid on this imp. The floor is checked last, so that a bid which must not be shown is never told that a
 * higher price would have won.
 */
export function validateBid(offered: OfferedBid, imp: Imp, offer: OfferContext, rules: AuctionRules): BidVerdict {
  const { bid } = offered;
  const { request, blockLists, breaks, insecureUrlOf, sellerFloorCpmMicros } = rules;
  const format = formatOf(bid, imp);
  const dollarsPerUnit = dollarsPerUnitOf(offer);
  /** 0 where the bid names no price that has a worth in US dollars, or a price that rounds to 0. */
  const price = dollarsPerUnit === undefined ? 0 : dollarMicros(bid.price, dollarsPerUnit);
  const deal = dealOf(offered, imp);
  const isAgreed = deal !== undefined && hasAgreedPrice(deal);
  const openFloorCpmMicros = Math.max(impFloorCpmMicros(imp, deal, bid, format), sellerFloorCpmMicros);
  const floorCpmMicros = deal
    ? Math.max(openFloorCpmMicros, dealFloorCpmMicros(deal, imp, bid, format))
    : openFloorCpmMicros;

  const reason = refusal();
  return {
    refusal: reason,
    detail: detailOf(reason),
    format,
    priceCpmMicros: price > 0 ? price : null,
    floorCpmMicros,
    clearingCpmMicros: isAgreed ? floorCpmMicros : price,
  };

  function refusal(): LossReason | undefined {
    if (dollarsPerUnit === undefined) return 'wrong-currency';
    if (price === 0) return 'invalid-price';
    const seat = seatOf(offered, offer.dspId);
    if (!isSeatAllowed(request, seat)) return 'seat-not-allowed';
    const brokenDeal = dealRefusal(offered, imp, seat);
    if (brokenDeal !== undefined) return brokenDeal;
    if (!bid.adm?.trim() && !bid.nurl && offer.rendered !== true) return 'missing-markup';
    if (format === null) return 'format-not-offered';
    if (format === 'banner' && !fitsBanner(bid, imp, request.device)) return 'size-not-allowed';
    if (!fitsDuration(bid, imp, format) || hasNoHighestFloor(bid, imp, deal, format)) return 'duration-not-allowed';
    if (bid.slotinpod && !holdsPosition(bid.slotinpod, imp, format, breaks)) return 'position-not-offered';
    if (lacksMraid(bid, imp, format, request.device)) return 'mraid-not-offered';
    if (imp.secure === 1 && bid.adm !== undefined && insecureUrlOf(bid.adm, bid) !== null) return 'insecure-creative';
    const advertisers = bid.adomain ?? offered.knownAdvertisers;
    const blocked = blockLists.refusal(bid, imp, format, advertisers);
    if (blocked !== undefined) return blocked;
    const reviewed = rules.review?.(bid, offer.dspId, advertisers);
    if (reviewed !== undefined) return reviewed;
    const rejected = rules.rejected?.get(bid);
    if (rejected !== undefined) return rejected.reason;
    if (price < openFloorCpmMicros) return 'below-floor';
    if (price < floorCpmMicros) return 'below-deal-floor';
    return undefined;
  }

  function detailOf(reason: LossReason | undefined): string | null {
    if (reason === 'insecure-creative') return withoutQuery(insecureUrlOf(bid.adm!, bid)!);
    const rejected = rules.rejected?.get(bid);
    return rejected !== undefined && rejected.reason === reason ? rejected.detail : null;
  }
}

function dollarsPerUnitOf({ currency, dollarsPerUnit }: OfferContext): number | undefined {
  return currency === CURRENCY || currency.toUpperCase() === CURRENCY ? 1 : dollarsPerUnit;
}

/** Applies `wseat` and `bseat` (OpenRTB 2.6 §3.2.1). */
function isSeatAllowed({ wseat, bseat }: BidRequest, seat: string): boolean {
  if (wseat?.length && !wseat.includes(seat)) return false;
  return !bseat?.includes(seat);
}
