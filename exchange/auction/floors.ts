import type { Deal, DurationFloor, Imp } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { AdFormat } from './ad-format.ts';

/** A price that no honest party names, USD CPM: beyond it, somebody has mistaken the unit. */
export const MAX_PRICE_CPM = 10_000;

/** Whole micro-dollars CPM of a CPM in dollars: the only rounding between a bid and the books. */
export function cpmMicros(cpm: number): number {
  return Math.round(cpm * 1_000_000);
}

/** Dollars CPM as the standard writes them. */
export function cpmOf(micros: number): number {
  return micros / 1_000_000;
}

/** The floor of an imp in the open auction, before the publisher's and the pool's: whole micro-dollars CPM. */
export function impFloorCpmMicros(imp: Imp, bid: Bid, format: AdFormat | null): number {
  const durationFloors = format === 'video' || format === 'audio' ? imp[format]?.durfloors : undefined;
  return cpmMicros(durationFloor(durationFloors, bid.dur) ?? imp.bidfloor ?? 0);
}

/** The floor that the deal itself asks for: whole micro-dollars CPM. */
export function dealFloorCpmMicros(deal: Deal): number {
  return cpmMicros(deal.bidfloor ?? 0);
}

/** OpenRTB 2.6 §3.2.35: within its durations such a floor stands in for the imp's. */
function durationFloor(floors: readonly DurationFloor[] | undefined, seconds: number | undefined): number | undefined {
  if (floors === undefined || seconds === undefined) return undefined;
  return floors.find(({ mindur = 0, maxdur = Number.POSITIVE_INFINITY }) => seconds >= mindur && seconds <= maxdur)
    ?.bidfloor;
}
