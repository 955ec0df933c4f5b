import type { VastAd } from './ad.ts';
import type { Companion, CompanionAds } from './model/companion.ts';
import type { VastCreative } from './model/creative.ts';
import type { Icon } from './model/icon.ts';
import type { Linear } from './model/linear.ts';
import type { NonLinearAds } from './model/non-linear.ts';
import { hasResource } from './model/resource.ts';
import type { VastWrapper } from './wrapper.ts';

/**
 * Merges an inline ad with its chain of wrappers, outermost first, into the ad that is served. The trackers of all
 * levels are called (VAST 4.2 §2.4.3.4): impressions, errors, viewability, verification, events and clicks, those of
 * outer levels first. Of visible parts, the level nearest to the ad has precedence: a wrapper's icon is kept unless an
 * inner level has one for the same program (§3.11), its companions come after those of inner levels, and its
 * click-through is used only where no inner level has one.
 */
export function mergeWrappers(inline: VastAd, wrappers: readonly VastWrapper[]): VastAd {
  return [...wrappers].reverse().reduce(within, inline);
}

function within(ad: VastAd, wrapper: VastWrapper): VastAd {
  const pricing = ad.pricing ?? wrapper.pricing;
  const sequence = wrapper.sequence ?? ad.sequence;
  return {
    ...ad,
    ...(pricing && { pricing }),
    ...(sequence !== undefined && { sequence }),
    errors: [...wrapper.errors, ...ad.errors],
    impressions: [...wrapper.impressions, ...ad.impressions],
    viewableImpressions: [...wrapper.viewableImpressions, ...ad.viewableImpressions],
    verifications: [...wrapper.verifications, ...ad.verifications],
    extensions: [...wrapper.extensions, ...ad.extensions],
    creatives: withCompanions(
      ad.creatives.map((creative) => trackedCreative(creative, wrapper)),
      wrapper.creatives.companions,
    ),
  };
}

function trackedCreative(creative: VastCreative, { creatives }: VastWrapper): VastCreative {
  const { linear, nonLinearAds } = creative;
  return {
    ...creative,
    ...(linear && { linear: trackedLinear(linear, creatives.linear) }),
    ...(nonLinearAds && { nonLinearAds: trackedNonLinear(nonLinearAds, creatives.nonLinear) }),
  };
}

function trackedLinear(linear: Linear, outer: VastWrapper['creatives']['linear']): Linear {
  const inner = linear.videoClicks;
  const clickThrough = inner.clickThrough ?? outer.videoClicks.clickThrough;
  return {
    ...linear,
    trackingEvents: [...outer.trackingEvents, ...linear.trackingEvents],
    videoClicks: {
      ...(clickThrough && { clickThrough }),
      clickTracking: [...outer.videoClicks.clickTracking, ...inner.clickTracking],
      customClicks: [...outer.videoClicks.customClicks, ...inner.customClicks],
    },
    icons: [...linear.icons, ...outer.icons.filter((icon) => !linear.icons.some((own) => sameProgram(own, icon)))],
  };
}

function sameProgram(a: Icon, b: Icon): boolean {
  return a.program !== undefined && a.program.toLowerCase() === b.program?.toLowerCase();
}

function trackedNonLinear(ads: NonLinearAds, outer: VastWrapper['creatives']['nonLinear']): NonLinearAds {
  return {
    trackingEvents: [...outer.trackingEvents, ...ads.trackingEvents],
    nonLinears: ads.nonLinears.map((ad) => ({ ...ad, clickTracking: [...outer.clickTracking, ...ad.clickTracking] })),
  };
}

/**
 * Adds a wrapper's companions. One without a resource is never shown: it only tracks the ad's companions of the same
 * place.
 */
function withCompanions(creatives: VastCreative[], outer: readonly Companion[]): VastCreative[] {
  const tracking = outer.filter((companion) => !hasResource(companion.resources));
  const tracked = creatives.map((creative) =>
    creative.companionAds === undefined
      ? creative
      : { ...creative, companionAds: trackedCompanions(creative.companionAds, tracking) },
  );
  const offered = outer.filter((companion) => hasResource(companion.resources));
  if (offered.length === 0) return tracked;
  return [...tracked, { universalAdIds: [], extensions: [], companionAds: { companions: offered } }];
}

function trackedCompanions(ads: CompanionAds, tracking: readonly Companion[]): CompanionAds {
  const companions = ads.companions.map((companion) => {
    const outer = tracking.filter((other) => sameSlot(companion, other));
    return {
      ...companion,
      trackingEvents: [...outer.flatMap((other) => other.trackingEvents), ...companion.trackingEvents],
      clickTracking: [...outer.flatMap((other) => other.clickTracking), ...companion.clickTracking],
    };
  });
  return { ...ads, companions };
}

/** Whether both companions would fill the same place on the page. One without a size matches any. */
function sameSlot(inner: Companion, outer: Companion): boolean {
  if (inner.adSlotId !== undefined && outer.adSlotId !== undefined) return inner.adSlotId === outer.adSlotId;
  if (outer.width === 0 || outer.height === 0) return true;
  return inner.width === outer.width && inner.height === outer.height;
}
