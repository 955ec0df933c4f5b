import { ROUNDING_MS, takesPlayedMs } from '../auction/durations.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import type { LocatedLinear } from '../vast/locate-ads.ts';
import type { InjectionRefusal } from './injection.ts';
import { sameMime } from './same-mime.ts';

/**
 * Why an imp does not take one of the linear ads of a document (OpenRTB 2.6 §3.2.7: `minduration`, `maxduration`,
 * `rqddurs`, `mimes`); null where it takes all. What an ad does not state fits, and so does what is behind a wrapper. In
 * a pod's dynamic portion an ad is also no longer than its bid said (`dur`, seconds), as other ads have the rest.
 */
export function linearMisfit(
  linears: readonly LocatedLinear[],
  requested: Video | Audio,
  dur: number | undefined,
): InjectionRefusal | null {
  const { mimes, poddur = 0 } = requested;
  for (const { durationMs, types } of linears) {
    if (durationMs !== undefined) {
      if (!takesPlayedMs(durationMs, requested)) return 'duration-not-allowed';
      if (poddur > 0 && dur !== undefined && durationMs > dur * 1_000 + ROUNDING_MS) return 'duration-not-allowed';
    }
    if (mimes.length > 0 && types.length > 0 && !types.some((type) => isTaken(type, mimes))) return 'media-not-allowed';
  }
  return null;
}

function isTaken(type: string, mimes: readonly string[]): boolean {
  // Nearly all documents write a type as the imp does.
  if (type === '' || mimes.includes(type)) return true;
  const wanted = sameMime(type);
  return mimes.some((mime) => sameMime(mime) === wanted);
}
