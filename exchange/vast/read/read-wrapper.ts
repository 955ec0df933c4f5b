import { withoutUndefined } from '../without-undefined.ts';
import type { VastWrapper, WrapperCreatives } from '../wrapper.ts';
import { adParts, categoriesOf } from './read-inline.ts';
import { companionAdsOf, iconsOf } from './read-resources.ts';
import { trackedUrls, trackingEvents, videoClicks } from './read-tracking.ts';
import { Unreadable } from './unreadable.ts';
import { flagAttribute, urlOf } from './values.ts';
import { isVpaid } from './vpaid.ts';
import { childOf, childrenOf, type XmlElement } from './xml-tree.ts';

/** Reads an `Ad` with a `Wrapper`. Throws `vast-malformed` when it does not say where the ad is. */
export function wrapperOf(ad: XmlElement, body: XmlElement): VastWrapper {
  const adTagUri = urlOf(childOf(body, 'VASTAdTagURI'));
  if (adTagUri === undefined) throw new Unreadable('vast-malformed', 'a Wrapper has no VASTAdTagURI');
  return withoutUndefined({
    kind: 'wrapper' as const,
    ...adParts(ad, body),
    adTagUri,
    followAdditionalWrappers: flagAttribute(body, 'followAdditionalWrappers') ?? true,
    allowMultipleAds: flagAttribute(body, 'allowMultipleAds') ?? false,
    fallbackOnNoAd: flagAttribute(body, 'fallbackOnNoAd') ?? false,
    blockedAdCategories: categoriesOf(body, 'BlockedAdCategories'),
    creatives: creativesOf(childrenOf(childOf(body, 'Creatives'), 'Creative')),
  });
}

function creativesOf(creatives: readonly XmlElement[]): WrapperCreatives {
  const linears = creatives.flatMap((creative) => childrenOf(creative, 'Linear'));
  const overlays = creatives.flatMap((creative) => childrenOf(creative, 'NonLinearAds'));
  const clicks = linears.map(videoClicks);
  const clickThrough = clicks.find((found) => found.clickThrough !== undefined)?.clickThrough;
  return {
    linear: {
      trackingEvents: linears.flatMap(trackingEvents),
      videoClicks: withoutUndefined({
        clickThrough,
        clickTracking: clicks.flatMap((found) => found.clickTracking),
        customClicks: clicks.flatMap((found) => found.customClicks),
      }),
      icons: linears.flatMap(iconsOf),
    },
    nonLinear: {
      trackingEvents: overlays.flatMap(trackingEvents),
      clickTracking: overlays
        .flatMap((ads) => childrenOf(ads, 'NonLinear'))
        .flatMap((overlay) => trackedUrls(overlay, 'NonLinearClickTracking')),
    },
    companions: creatives
      .flatMap((creative) => childrenOf(creative, 'CompanionAds'))
      .flatMap((ads) => companionAdsOf(ads).companions)
      .filter(({ apiFramework }) => !isVpaid(apiFramework)),
  };
}
