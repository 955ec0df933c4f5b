import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import type { VastCreative } from '../../vast/model/creative.ts';
import { hasResource } from '../../vast/model/resource.ts';
import type { TrackedUrl } from '../../vast/model/tracking.ts';
import { type AssetLookup, mediaFileOf, vastOf } from './assets.ts';
import { audioAd } from './audio-ad.ts';

/**
 * The ad that a video or audio creative is made of, before the campaign's own trackers and landing page are added; null
 * while an asset is missing.
 */
export function sourceAd(creative: Creative, assets: AssetLookup): VastAd | null {
  if (creative.vast_url !== undefined) return vastOf(assets, creative.vast_url);
  const audio = mediaFileOf(assets, creative.audio_url, 'audio');
  if (audio === null) return null;
  if (creative.image_url === undefined) return audioAd(creative, audio, null);
  const companion = mediaFileOf(assets, creative.image_url, 'image');
  return companion === null ? null : audioAd(creative, audio, companion);
}

/**
 * Adds what the campaign defines: its impression trackers before the ad's own, its click trackers to each linear ad,
 * non-linear ad and companion, and its landing page to each of them that has no click-through of its own. Non-linear
 * ads and companions without a resource, which show nothing, get no landing page. The result is a stand-alone ad,
 * without the place in the pod that it came from.
 */
export function adForCreative(creative: Creative, source: VastAd): VastAd {
  const { sequence: _, ...ad } = source;
  const { impression_trackers: impressions = [], click_trackers: clicks = [], landing_url: landing } = creative;
  const clickTracking = clicks.map((url): TrackedUrl => ({ url }));
  return {
    ...ad,
    impressions: [...impressions.map((url) => ({ url })), ...ad.impressions],
    creatives: ad.creatives.map((part) => clickable(part, clickTracking, landing)),
  };
}

function clickable(
  { linear, nonLinearAds, companionAds, ...creative }: VastCreative,
  clicks: readonly TrackedUrl[],
  landing: string | undefined,
): VastCreative {
  const linked = <T extends Clickable>(shown: T): T => ({
    ...shown,
    ...(shown.clickThrough === undefined && landing !== undefined && hasResource(shown.resources)
      ? { clickThrough: landing }
      : {}),
    clickTracking: [...clicks, ...shown.clickTracking],
  });
  return {
    ...creative,
    ...(linear && {
      linear: {
        ...linear,
        videoClicks: {
          ...(landing === undefined ? {} : { clickThrough: { url: landing } }),
          ...linear.videoClicks,
          clickTracking: [...clicks, ...linear.videoClicks.clickTracking],
        },
      },
    }),
    ...(nonLinearAds && { nonLinearAds: { ...nonLinearAds, nonLinears: nonLinearAds.nonLinears.map(linked) } }),
    ...(companionAds && { companionAds: { ...companionAds, companions: companionAds.companions.map(linked) } }),
  };
}

type Clickable = Pick<
  NonNullable<VastCreative['companionAds']>['companions'][number],
  'clickThrough' | 'clickTracking' | 'resources'
>;
