import { cpmMicros, MAX_CPM } from '../money/price.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { DurationFloor } from '../openrtb/fields/duration-floor.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import type { AdFormat } from './ad-format.ts';
import { hasOwnFloor } from './deals.ts';
import { longestTaken, takesLengthWithin } from './durations.ts';

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

/**
 * What sets the floors by duration of a bid: a deal that states a floor, by duration or not, goes before what the imp
 * asks for (OpenRTB 2.6 §7.11.2).
 */
export function pricingOf(deal: Deal | undefined, playable: Video | Audio): Deal | Video | Audio {
  return deal !== undefined && hasOwnFloor(deal) ? deal : playable;
}

/**
 * The floor that the imp itself has for a bid, on `deal` if any, whole micro-dollars CPM. Of a bid whose duration is
 * not known it is that of the dearest ad which the imp takes.
 */
export function impFloorCpmMicros(imp: Imp, deal: Deal | undefined, bid: Bid, format: AdFormat | null): number {
  const playable = playableOf(imp, format);
  const isPricedByDeal = deal !== undefined && hasOwnFloor(deal);
  return floorCpmMicros(imp.bidfloor, isPricedByDeal ? undefined : playable, bid.dur, playable);
}

/** The floor of a deal of the imp: as that of the imp itself. */
export function dealFloorCpmMicros(deal: Deal, imp: Imp, bid: Bid, format: AdFormat | null): number {
  return floorCpmMicros(deal.bidfloor, deal, bid.dur, playableOf(imp, format));
}

/**
 * Whether no price is enough for an ad because each second has its own and it may have any number of them: its duration
 * is not known, and no length is the longest that the imp takes.
 */
export function hasNoHighestFloor({ dur }: Bid, imp: Imp, deal: Deal | undefined, format: AdFormat | null): boolean {
  if (dur !== undefined) return false;
  const playable = playableOf(imp, format);
  if (playable === undefined) return false;
  if (!pricingOf(deal, playable).mincpmpersec) return false;
  return longestTaken(playable) === Number.POSITIVE_INFINITY;
}

/** Of a list with more floors or lengths than this, which no publisher has, the lowest is not searched for. */
const MAX_SEARCHED = 20;

/**
 * The lowest floor, in whole micro-dollars CPM, that an ad of any length which the imp takes has; no ad is sold below
 * it. `plainCpm`: the floor of other lengths than those of `durfloors`. Of lists that are too long it is the plain one,
 * or less.
 */
export function lowestFloorCpmMicros(
  plainCpm: number | undefined,
  priced: PricedByDuration,
  playable: Video | Audio,
): number {
  const { durfloors = [] } = priced;
  const { minduration = 0, rqddurs = [] } = playable;
  if (durfloors.length > MAX_SEARCHED || rqddurs.length > MAX_SEARCHED) return cpmMicros(plainCpm ?? 0);
  // Between the ends of these ranges a floor only rises, with the seconds. No ad lasts 0 s.
  const ends = durfloors.flatMap(({ mindur = 0, maxdur = Number.POSITIVE_INFINITY }) => [mindur, maxdur + 1]);
  const lengths =
    rqddurs.length > 0
      ? rqddurs
      : [Math.max(1, minduration), ...ends].filter(
          (end) => end > 0 && Number.isFinite(end) && takesLengthWithin(end, end, playable),
        );
  if (lengths.length === 0) return cpmMicros(plainCpm ?? 0);
  return Math.min(...lengths.map((seconds) => floorCpmMicros(plainCpm, priced, seconds, playable)));
}

function playableOf(imp: Imp, format: AdFormat | null): Video | Audio | undefined {
  return format === 'video' || format === 'audio' ? imp[format] : undefined;
}

/** `playable`: what the bid is for; floors by duration are for video and audio alone. */
function floorCpmMicros(
  plainCpm: number | undefined,
  priced: PricedByDuration | undefined,
  seconds: number | undefined,
  playable: Video | Audio | undefined,
): number {
  if (playable === undefined || priced === undefined || !isPricedByDuration(priced)) return cpmMicros(plainCpm ?? 0);
  const { durfloors, mincpmpersec } = priced;
  const byRange =
    seconds === undefined
      ? highestFloor(durfloors, plainCpm, playable)
      : (durationFloor(durfloors, seconds) ?? plainCpm ?? 0);
  return Math.max(cpmMicros(byRange), floorBySeconds(mincpmpersec, seconds ?? longestTaken(playable)));
}

/** One more than the highest bid, in whole micro-dollars CPM. */
const OUT_OF_REACH = MAX_CPM * 1_000_000 + 1;

/**
 * The floor of an ad that lasts so long, in whole micro-dollars CPM. `dur` is any integer that a bidder states, and the
 * longest length may be none: a floor above all bids is {@link OUT_OF_REACH}, and a negative duration has none.
 */
function floorBySeconds(cpmPerSecond: number | undefined, seconds: number): number {
  if (!cpmPerSecond || seconds <= 0) return 0;
  return Math.min(Math.round(cpmPerSecond * seconds * 1_000_000), OUT_OF_REACH);
}

/** OpenRTB 2.6 §3.2.35: within its range of durations, a duration floor replaces the plain floor. */
function durationFloor(floors: readonly DurationFloor[] | undefined, seconds: number): number | undefined {
  return floors?.find(({ mindur = 0, maxdur = Number.POSITIVE_INFINITY }) => seconds >= mindur && seconds <= maxdur)
    ?.bidfloor;
}

/** The highest of the plain floor and those of durations that the imp takes: an ad of unknown length may have any. */
function highestFloor(
  floors: readonly DurationFloor[] = [],
  plainCpm: number | undefined,
  playable: Video | Audio,
): number {
  let highest = plainCpm ?? 0;
  for (const { mindur = 0, maxdur = Number.POSITIVE_INFINITY, bidfloor = 0 } of floors) {
    if (bidfloor > highest && takesLengthWithin(mindur, maxdur, playable)) highest = bidfloor;
  }
  return highest;
}
