import { ROUNDING_MS } from '../auction/durations.ts';
import type { ViewabilityUrl } from '../creative/viewability-url.ts';
import type { VastAd } from './ad.ts';
import type { VastPlayer } from './player.ts';
import { readVast } from './read-vast.ts';
import { isAtLeast, VAST_VERSIONS, type VastVersion } from './vast-version.ts';
import type { VastWrapper } from './wrapper.ts';
import { writeVast } from './write-vast.ts';

/** An ad that can have a place in a pod. */
export interface PodAd {
  readonly ad: VastAd | VastWrapper;
  /** The version of the document that the ad came in. */
  readonly version: VastVersion;
}

/** The first version with pods (VAST 3.0 §2.3.4.2, `sequence`). */
const PODS_SINCE: VastVersion = '3.0';

/**
 * The one ad of a winner's document that is shown; null when there is none for a place of `seconds` (undefined: any
 * length). Of several stand-alone ads it is the first; a document with a pod of its own has no such ad, unless one
 * stands alone. The ad must be linear, and no longer than its bid said; the duration behind a wrapper is not known.
 */
export function podAdOf(document: string, seconds?: number): PodAd | null {
  const read = readVast(document);
  if (!read.ok) return null;
  const ad = read.ads.length === 1 ? read.ads[0] : read.ads.find(({ sequence }) => sequence === undefined);
  if (ad === undefined) return null;
  const version = versionOf(read.version);
  if (ad.kind === 'wrapper') return { ad, version };
  const durationMs = playedMs(ad);
  if (durationMs === undefined || (seconds !== undefined && durationMs > seconds * 1_000 + ROUNDING_MS)) return null;
  return { ad, version };
}

/** The duration of an inline ad in ms; undefined for one that is not linear. */
export function playedMs({ creatives }: VastAd): number | undefined {
  return creatives.find(({ linear }) => linear !== undefined)?.linear?.durationMs;
}

/**
 * Adds viewability trackers to an ad from a document before 4.0, where they could not be inserted; the pod's document
 * may be 4.0 or newer.
 */
export function withViewabilityTrackers({ ad, version }: PodAd, viewUrl: ViewabilityUrl): PodAd {
  if (isAtLeast(version, '4.0')) return { ad, version };
  const views = {
    viewable: [viewUrl('viewable')],
    notViewable: [viewUrl('not_viewable')],
    viewUndetermined: [viewUrl('undetermined')],
  };
  return { ad: { ...ad, viewableImpressions: [views, ...ad.viewableImpressions] }, version };
}

/** Whether a player takes pods. */
export function takesPods({ versions }: VastPlayer): boolean {
  return versions === null || versions.some((version) => isAtLeast(version, PODS_SINCE));
}

/**
 * Writes one document with the ads in this order, `sequence` 1 to n. Its version is the lowest of the player's that is
 * at least as new as all ads' documents, else the player's newest. A wrapper stays one and leads to one ad.
 */
export function writePod(pod: readonly PodAd[], player: VastPlayer): string {
  const taken = (player.versions ?? VAST_VERSIONS).filter((version) => isAtLeast(version, PODS_SINCE));
  const ascending = VAST_VERSIONS.filter((version) => taken.includes(version));
  const version = ascending.find((one) => pod.every((ad) => isAtLeast(one, ad.version))) ?? ascending.at(-1)!;
  return writeVast(
    pod.map(({ ad }, index) => placed(ad, index + 1)),
    { version },
  );
}

function placed(ad: VastAd | VastWrapper, sequence: number): VastAd | VastWrapper {
  return ad.kind === 'wrapper' ? { ...ad, sequence, allowMultipleAds: false } : { ...ad, sequence };
}

/**
 * The known version that a document's stated version belongs to: `3.0.1` is 3.0, and an unknown minor version of 4
 * counts as the newest.
 */
function versionOf(stated: string): VastVersion {
  return VAST_VERSIONS.find((version) => stated === version || stated.startsWith(`${version}.`)) ?? guessed(stated);
}

function guessed(stated: string): VastVersion {
  return stated.startsWith('2') ? '2.0' : stated.startsWith('3') ? '3.0' : stated === '4' ? '4.0' : '4.2';
}
