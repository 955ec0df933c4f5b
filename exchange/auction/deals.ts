import { cpmMicros } from '../money/price.ts';
import type { DurationFloor } from '../openrtb/fields/duration-floor.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { OfferedBid } from '../openrtb/parse-bid-response.ts';
import { advertiserDomains, includesDomain } from './advertiser-domain.ts';
import type { LossReason } from './loss-reason.ts';

/** `deal.at`: `bidfloor` is the agreed price (OpenRTB 2.6 §3.2.12). */
const AGREED_PRICE = 3;

/** The deal of the imp that the bid refers to; undefined without one. */
export function dealOf({ bid }: OfferedBid, imp: Imp): Deal | undefined {
  if (!bid.dealid) return undefined;
  return imp.pmp?.deals?.find(({ id }) => id === bid.dealid);
}

/** A deal that names no price, or less than is counted, has none agreed: it is first price, and bidders are told so. */
export function hasAgreedPrice(deal: Deal): boolean {
  return deal.at === AGREED_PRICE && isPriced(deal);
}

/** Whether a deal states a floor itself; what is not above 0 is none. */
export function hasOwnFloor(deal: Deal): boolean {
  const { durfloors = [], mincpmpersec = 0 } = deal;
  return isPriced(deal) || mincpmpersec > 0 || durfloors.some(isPriced);
}

function isPriced({ bidfloor = 0 }: Deal | DurationFloor): boolean {
  return cpmMicros(bidfloor) > 0;
}

/**
 * The reason why a bid breaks the terms of its deal, or of an imp that is only sold by deal (OpenRTB 2.6 §3.2.11-12).
 * `seat`: see `seatOf`.
 */
export function dealRefusal(offered: OfferedBid, imp: Imp, seat: string): LossReason | undefined {
  const { bid } = offered;
  if (!bid.dealid) return imp.pmp?.private_auction === 1 ? 'deal-required' : undefined;
  const deal = dealOf(offered, imp);
  if (deal === undefined) return 'unknown-deal';
  if (deal.wseat?.length && !deal.wseat.includes(seat)) return 'deal-seat-not-allowed';
  if (deal.wadomain?.length) {
    const allowed = advertiserDomains(deal.wadomain);
    if (!bid.adomain?.length || !bid.adomain.every((domain) => includesDomain(allowed, domain))) {
      return 'deal-advertiser-not-allowed';
    }
  }
  return undefined;
}
