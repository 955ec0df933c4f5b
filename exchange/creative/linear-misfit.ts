import { ROUNDING_MS, takesPlayedMs } from '../auction/durations.ts';
import { isPricedByDuration, pricingOf } from '../auction/floors.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import type { LocatedAd } from '../vast/locate-ads.ts';
import type { InjectionRefusal } from './injection.ts';
import { takesMime } from './same-mime.ts';

/** Values of `linearity` (AdCOM 1.0, Linearity Modes): in the break, and over the content. */
export const LINEAR = 1;
const NON_LINEAR = 2;

/** What an imp takes, of a bid. */
interface Wanted {
  readonly requested: Video | Audio;
  /** Absent: ads in the break as well as over the content. Audio is in the break. */
  readonly linearity: number | undefined;
  /**
   * The seconds that the bid said: an ad is no longer where other ads have the rest of a pod's dynamic portion, or
   * where its floor was chosen by them.
   */
  readonly dur: number | undefined;
  /** The deal of the bid, whose floors go before those of the imp. */
  readonly deal: Deal | undefined;
}

/**
 * Why an imp does not take the ads of a document (OpenRTB 2.6 §3.2.7: `linearity`, and of linear ads `minduration`,
 * `maxduration`, `maxextended`, `rqddurs`, `mimes`); null where it takes them. What an ad does not state fits, and so
 * does what is behind a wrapper. All ads of a document's pod must fit. Of ads that stand alone one is shown: in a pod
 * of the imp's the first, which must fit, otherwise any.
 */
export function linearMisfit(
  ads: readonly LocatedAd[],
  { requested, linearity, dur, deal }: Wanted,
): InjectionRefusal | null {
  const { poddur = 0 } = requested;
  const mustLastAsSaid = poddur > 0 || isPricedByDuration(pricingOf(deal, requested));
  const longestSeconds = mustLastAsSaid ? dur : undefined;
  const misfit = (ad: LocatedAd) => misfitOf(ad, requested, linearity, longestSeconds);
  const inPod = ads.filter(({ isInPod }) => isInPod);
  if (inPod.length > 0) return inPod.map(misfit).find((one) => one !== null) ?? null;
  const shown = requested.podid === undefined ? ads : ads.slice(0, 1);
  const misfits = shown.map(misfit);
  return misfits.includes(null) ? null : (misfits[0] ?? null);
}

function misfitOf(
  { linears, hasCreatives }: LocatedAd,
  requested: Video | Audio,
  linearity: number | undefined,
  longestSeconds: number | undefined,
): InjectionRefusal | null {
  const { mimes } = requested;
  if (linearity === LINEAR && hasCreatives && linears.length === 0) return 'media-not-allowed';
  if (linearity === NON_LINEAR && linears.length > 0) return 'media-not-allowed';
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
  return !type.includes('/') || takesMime(mimes, type);
}
