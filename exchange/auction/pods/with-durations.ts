import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Bid } from '../../openrtb/bid-response.ts';
import { shallowCopy } from '../../openrtb/shallow-copy.ts';
import { playedMs } from '../../vast/pod.ts';
import { readWithoutExtensions } from '../../vast/read-vast.ts';
import type { DspOffer } from '../auction.ts';
import { hasFloorsByDuration } from '../floors.ts';
import { dynamicImps } from './ad-break.ts';

/**
 * Adds the missing `dur` to each bid for one of the `timed` imps, see {@link timedImps}: OpenRTB 2.5 has no such field,
 * and without it the room left for other ads, or the floor, would be unknown. It stays unknown until it comes with the
 * answer to the win notice, for which there is {@link withDuration}.
 */
export function withDurations<T extends DspOffer>(offers: readonly T[], timed: ReadonlySet<string>): T[] {
  if (timed.size === 0) return [...offers];
  return offers.map((offer) => {
    if (offer.rendered || !offer.bids.some(({ bid }) => leavesItOut(bid, timed))) return offer;
    const bids = offer.bids.map((offered) => {
      const bid = withDuration(offered.bid, timed);
      return bid === offered.bid ? offered : { ...offered, bid };
    });
    return { ...offer, bids };
  });
}

/**
 * The bid with the `dur` that its VAST says, in whole seconds, where it is for one of the `timed` imps and names none.
 * The bid itself where that is a wrapper or holds several ads: its duration stays unknown.
 */
export function withDuration(bid: Bid, timed: ReadonlySet<string>): Bid {
  const seconds = leavesItOut(bid, timed) ? secondsOf(bid.adm!) : undefined;
  return seconds === undefined ? bid : lasting(bid, seconds);
}

/** The ids of imps for which it matters how long an ad lasts: dynamic portions, and those with floors by duration. */
export function timedImps(request: BidRequest): ReadonlySet<string> {
  const dynamic = dynamicImps(request);
  const priced = request.imp.filter(hasFloorsByDuration);
  return priced.length === 0 ? dynamic : new Set([...dynamic, ...priced.map(({ id }) => id)]);
}

function leavesItOut({ dur, impid, adm }: Bid, timed: ReadonlySet<string>): boolean {
  return dur === undefined && adm !== undefined && timed.has(impid);
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
