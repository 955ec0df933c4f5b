import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import type { AdFormat } from './ad-format.ts';

/** The tolerance of durations: bids and imps state whole seconds, and documents milliseconds. */
export const ROUNDING_MS = 1_000;

/**
 * Whether an ad has a duration that the imp allows (OpenRTB 2.6 §3.2.7: `minduration`, `maxduration`, `rqddurs`). A bid
 * without a duration fits, except in a pod's dynamic portion, where the room left for other ads would be unknown.
 */
export function fitsDuration({ dur }: Pick<Bid, 'dur'>, imp: Imp, format: AdFormat): boolean {
  const requested = format === 'video' || format === 'audio' ? imp[format] : undefined;
  if (requested === undefined) return true;
  const { minduration = 0, rqddurs, poddur = 0 } = requested;
  if (dur === undefined) return poddur === 0;
  if (rqddurs?.length) return rqddurs.includes(dur);
  return dur > 0 && dur >= minduration && dur <= longestOf(requested) && (poddur === 0 || dur <= poddur);
}

/**
 * Whether an imp takes an ad that plays for this many ms, as its document says; within {@link ROUNDING_MS}, since files
 * are rarely as long as they are said to be.
 */
export function takesPlayedMs(playedMs: number, requested: Video | Audio): boolean {
  const { minduration = 0, rqddurs, poddur } = requested;
  if (rqddurs?.length) return rqddurs.some((seconds) => Math.abs(playedMs - seconds * 1_000) < ROUNDING_MS);
  const longest = Math.min(longestOf(requested), poddur || Number.POSITIVE_INFINITY);
  return playedMs > minduration * 1_000 - ROUNDING_MS && playedMs < longest * 1_000 + ROUNDING_MS;
}

/**
 * The longest ad that an imp takes, seconds, also where `rqddurs` are its lengths; Infinity where none is the longest.
 */
export function longestTaken(requested: Video | Audio): number {
  const { rqddurs } = requested;
  return rqddurs?.length ? Math.max(...rqddurs) : longestOf(requested);
}

/** Whether an imp takes an ad of some length in a range of seconds, both ends included. */
export function takesLengthWithin(mindur: number, maxdur: number, requested: Video | Audio): boolean {
  const { minduration = 0, rqddurs } = requested;
  if (rqddurs?.length) return rqddurs.some((seconds) => seconds >= mindur && seconds <= maxdur);
  return Math.max(mindur, minduration) <= Math.min(maxdur, longestOf(requested));
}

/**
 * The longest ad that an imp takes, seconds: `maxduration`, where 0 is none, and what `maxextended` adds, -1 without
 * end.
 */
function longestOf({ maxduration = 0, maxextended = 0 }: Video | Audio): number {
  if (maxduration === 0 || maxextended === -1) return Number.POSITIVE_INFINITY;
  return maxduration + Math.max(0, maxextended);
}
