import { ROUNDING_MS, takesPlayedMs } from '../auction/durations.ts';
import { isPricedByDuration, pricingOf } from '../auction/floors.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import type { LocatedAd } from '../vast/locate-ads.ts';
import type { InjectionRefusal } from './injection.ts';
import { sameMime } from './same-mime.ts';

/**
 * Why an imp does not take the linear ads of a document (OpenRTB 2.6 §3.2.7: `minduration`, `maxduration`, `maxextended`,
 * `rqddurs`, `mimes`); null where it takes them. What an ad does not state fits, and so does what is behind a wrapper. All
 * ads of a document's pod must fit. Of ads that stand alone one is shown: in a pod of the imp's the first, which must fit,
 * otherwise any.
 * @param dur the seconds that the bid said: an ad is no longer where other ads have the rest of a pod's dynamic portion, or
 * where its floor was chosen by them
 * @param deal that of the bid, whose floors go before those of the imp
 */
export function linearMisfit(
  ads: readonly LocatedAd[],
  requested: Video | Audio,
  dur: number | undefined,
  deal: Deal | undefined,
): InjectionRefusal | null {
  const { poddur = 0 } = requested;
  const mustLastAsSaid = poddur > 0 || isPricedByDuration(pricingOf(deal, requested));
  const longestSeconds = mustLastAsSaid ? dur : undefined;
  const misfit = (ad: LocatedAd) => misfitOf(ad, requested, longestSeconds);
  const inPod = ads.filter(({ isInPod }) => isInPod);
  if (inPod.length > 0) return inPod.map(misfit).find((one) => one !== null) ?? null;
  const shown = requested.podid === undefined ? ads : ads.slice(0, 1);
  const misfits = shown.map(misfit);
  return misfits.includes(null) ? null : (misfits[0] ?? null);
}

function misfitOf(
  { linears }: LocatedAd,
  requested: Video | Audio,
  longestSeconds: number | undefined,
): InjectionRefusal | null {
  const { mimes } = requested;
  for (const { durationMs, types } of linears) {
    if (durationMs !== undefined) {
      if (!takesPlayedMs(durationMs, requested)) return 'duration-not-allowed';
      if (longestSeconds !== undefined && durationMs > longestSeconds * 1_000 + ROUNDING_MS) {
        return 'duration-not-allowed';
      }
    }
    if (mimes.length > 0 && types.length > 0 && !types.some((type) => isTaken(type, mimes))) return 'media-not-allowed';
  }
  return null;
}

/** `type` as a document writes it; what is no MIME type says nothing. */
function isTaken(type: string, mimes: readonly string[]): boolean {
  // Nearly all documents write a type as the imp does.
  if (!type.includes('/') || mimes.includes(type)) return true;
  const wanted = sameMime(type);
  return mimes.some((mime) => {
    const taken = sameMime(mime);
    return taken === wanted || taken === '*/*' || (taken.endsWith('/*') && wanted.startsWith(taken.slice(0, -1)));
  });
}
