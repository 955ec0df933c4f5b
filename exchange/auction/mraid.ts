import { asksForMraid } from '../creative/render/asks-for-mraid.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { MRAID } from '../openrtb/runnable-apis.ts';
import { offersMraid } from '../strategy/offers-mraid.ts';
import type { AdFormat } from './ad-format.ts';

/**
 * Whether a bid needs an MRAID container where there is none (specification, "Creative specifications"): MRAID is sold
 * in `imp.banner` alone, where its `api` has MRAID 2 or 3, and never on a television. A bid needs one when its `api` or
 * `apis` say so, or when its markup asks for `mraid.js`.
 */
export function lacksMraid(bid: Bid, imp: Imp, format: AdFormat, device: BidRequest['device']): boolean {
  if (format === 'banner' && offersMraid(imp, device)) return false;
  const { api, apis, adm } = bid;
  if (api !== undefined && MRAID.includes(api)) return true;
  if (apis?.some((one) => MRAID.includes(one))) return true;
  return adm !== undefined && asksForMraid(adm);
}
