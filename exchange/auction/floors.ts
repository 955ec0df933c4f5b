import { cpmMicros, MAX_CPM } from '../money/price.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { DurationFloor } from '../openrtb/fields/duration-floor.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { AdFormat } from './ad-format.ts';

/** Whether what is asked for an ad depends on how long it lasts. */
export function hasFloorsByDuration({ video, audio, pmp }: Imp): boolean {
  return isPricedByDuration(video) || isPricedByDuration(audio) || pmp?.deals?.some(isPricedByDuration) === true;
}

export function isPricedByDuration(part: PricedByDuration | undefined): boolean {
  return part !== undefined && (part.durfloors !== undefined || part.mincpmpersec !== undefined);
}

interface PricedByDuration {
  readonly durfloors?: readonly DurationFloor[] | undefined;
  readonly mincpmpersec?: number | undefined;
}

/** The floor of the imp itself: whole micro-dollars CPM. */
export function impFloorCpmMicros(imp: Imp, bid: Bid, format: AdFormat | null): number {
  const playable = format === 'video' || format === 'audio' ? imp[format] : undefined;
  const floorCpm = durationFloor(playable?.durfloors, bid.dur) ?? imp.bidfloor ?? 0;
  return Math.max(cpmMicros(floorCpm), floorBySeconds(playable?.mincpmpersec, bid.dur));
}

/** The floor of the deal itself: whole micro-dollars CPM. */
export function dealFloorCpmMicros(deal: Deal, bid: Bid): number {
  const floorCpm = durationFloor(deal.durfloors, bid.dur) ?? deal.bidfloor ?? 0;
  return Math.max(cpmMicros(floorCpm), floorBySeconds(deal.mincpmpersec, bid.dur));
}

/** One more than the highest bid, in whole micro-dollars CPM. */
const OUT_OF_REACH = MAX_CPM * 1_000_000 + 1;

/**
 * The floor of an ad that lasts so long, in whole micro-dollars CPM. `dur` is any integer that a bidder states: a floor
 * above all bids is {@link OUT_OF_REACH}, and a negative duration has none.
 */
function floorBySeconds(cpmPerSecond: number | undefined, seconds: number | undefined): number {
  if (!cpmPerSecond || seconds === undefined || seconds <= 0) return 0;
  return Math.min(Math.round(cpmPerSecond * seconds * 1_000_000), OUT_OF_REACH);
}

/** OpenRTB 2.6 §3.2.35: within its range of durations, a duration floor replaces the plain floor. */
function durationFloor(floors: readonly DurationFloor[] | undefined, seconds: number | undefined): number | undefined {
  if (floors === undefined || seconds === undefined) return undefined;
  return floors.find(({ mindur = 0, maxdur = Number.POSITIVE_INFINITY }) => seconds >= mindur && seconds <= maxdur)
    ?.bidfloor;
}
