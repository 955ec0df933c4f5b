import type { ViewabilityUrl } from '../creative/viewability-url.ts';
import type { VastAd } from './ad.ts';
import type { VastPlayer } from './player.ts';
import { readVast } from './read-vast.ts';
import { isAtLeast, VAST_VERSIONS, type VastVersion } from './vast-version.ts';
import type { VastWrapper } from './wrapper.ts';
import { writeVast } from './write-vast.ts';

/** An ad that can take a place in a pod. */
export interface PodAd {
  readonly ad: VastAd | VastWrapper;
  /** Of the document that it came in. */
  readonly version: VastVersion;
}

/** Pods came with VAST 3.0 (§2.3.4.2, `sequence`). */
const PODS_SINCE: VastVersion = '3.0';
/** What a bid says in whole seconds, its document says in milliseconds. */
const ROUNDING_MS = 1_000;

/**
 * The one ad of a winner's document; null when there is none for a place of `seconds` (undefined: of any length). Of several
 * ads that stand alone the first is meant; who brings a pod of its own has sold more than one place. An ad must play
 * rather than overlay, and no longer than its bid said; how long what a wrapper leads to is, nobody here can know.
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

/** How long an inline ad plays; undefined for one that does not play. */
export function playedMs({ creatives }: VastAd): number | undefined {
  return creatives.find(({ linear }) => linear !== undefined)?.linear?.durationMs;
}

/**
 * The ad with trackers of views beside its own, where its document was of a version that knew none: what it is written in may
 * (4.0 on).
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

/** Whether a player can be sent pods. */
export function takesPods({ versions }: VastPlayer): boolean {
  return versions === null || versions.some((version) => isAtLeast(version, PODS_SINCE));
}

/**
 * One document with the ads in their order, `sequence` 1 to n. Of the versions that the player takes it is the first that
 * can say all that the ads' own documents said, else its newest. A wrapper stays one and leads to one ad.
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

/** `3.0.1` is a 3.0; a minor version of 4 that nobody knows yet is read as the newest. */
function versionOf(stated: string): VastVersion {
  return VAST_VERSIONS.find((version) => stated === version || stated.startsWith(`${version}.`)) ?? guessed(stated);
}

function guessed(stated: string): VastVersion {
  return stated.startsWith('2') ? '2.0' : stated.startsWith('3') ? '3.0' : stated === '4' ? '4.0' : '4.2';
}
