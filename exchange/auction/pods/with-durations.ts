import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Bid } from '../../openrtb/bid-response.ts';
import { shallowCopy } from '../../openrtb/shallow-copy.ts';
import { playedMs } from '../../vast/pod.ts';
import { readWithoutExtensions } from '../../vast/read-vast.ts';
import type { DspOffer } from '../auction.ts';
import { hasFloorsByDuration } from '../floors.ts';
import { dynamicImps } from './ad-break.ts';

/**
 * Adds the missing `dur` to each bid for a dynamic portion and for an imp whose floor depends on it: OpenRTB 2.5 has no
 * such field, and without it the room left for other ads, or the floor, would be unknown. The value is what the bid's VAST
 * says, in whole seconds. It stays unknown where that is a wrapper or holds several ads, and until it comes with the
 * answer to the win notice.
 */
export function withDurations<T extends DspOffer>(offers: readonly T[], request: BidRequest): T[] {
  const timed = timedImps(request);
  if (timed.size === 0) return [...offers];
  const leavesItOut = ({ dur, impid, adm }: Bid) => dur === undefined && adm !== undefined && timed.has(impid);
  return offers.map((offer) => {
    if (offer.rendered || !offer.bids.some(({ bid }) => leavesItOut(bid))) return offer;
    const bids = offer.bids.map((offered) => {
      const seconds = leavesItOut(offered.bid) ? secondsOf(offered.bid.adm!) : undefined;
      return seconds === undefined ? offered : { ...offered, bid: lasting(offered.bid, seconds) };
    });
    return { ...offer, bids };
  });
}

/** The ids of imps for which it matters how long an ad lasts. */
function timedImps(request: BidRequest): ReadonlySet<string> {
  const dynamic = dynamicImps(request);
  const priced = request.imp.filter(hasFloorsByDuration);
  return priced.length === 0 ? dynamic : new Set([...dynamic, ...priced.map(({ id }) => id)]);
}

function lasting(bid: Bid, seconds: number): Bid {
  const copy = shallowCopy(bid);
  copy.dur = seconds;
  return copy;
}

function secondsOf(adm: string): number | undefined {
  const read = readWithoutExtensions(adm);
  if (!read.ok || read.ads.length !== 1) return undefined;
  const [ad] = read.ads;
  const durationMs = ad!.kind === 'inline' ? playedMs(ad!) : undefined;
  return durationMs ? Math.round(durationMs / 1_000) : undefined;
}
