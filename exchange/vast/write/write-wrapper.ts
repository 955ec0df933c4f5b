import type { CompanionAds } from '../model/companion.ts';
import { hasResource } from '../model/resource.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import type { VastWrapper, WrapperCreatives } from '../wrapper.ts';
import { adSystemElement, impressionElements, pricingElement } from './ad-parts.ts';
import type { Inset } from './inset.ts';
import { companionAdsElement, iconsElement } from './write-resources.ts';
import {
  extensionsElement,
  trackingEventsElement,
  verificationElements,
  videoClicksElement,
  viewableImpressionElement,
} from './write-tracking.ts';
import { container, element, escaped, urlElement, urlElements } from './xml-text.ts';

/** Writes a `Wrapper`: the URL of the ad, and the trackers of this level. */
export function wrapperElement(wrapper: VastWrapper, version: VastVersion, inset: Inset): string {
  if (!isAtLeast(version, '4.0')) return element('Wrapper', wrapperBefore4(wrapper, version, inset));
  const { followAdditionalWrappers, allowMultipleAds, fallbackOnNoAd } = wrapper;
  const values = { followAdditionalWrappers, allowMultipleAds, fallbackOnNoAd };
  return element('Wrapper', wrapperSince4(wrapper, version, inset), values);
}

/**
 * Writes a wrapper before 4.0. As in an inline ad, 2.0 and 3.0 have one `Error`; unlike there, an `Impression` has no
 * id.
 */
function wrapperBefore4(wrapper: VastWrapper, version: VastVersion, inset: Inset): string {
  const { extension } = verificationElements(wrapper.verifications, version);
  const impressions = wrapper.impressions.map(({ url }) => ({ url }));
  return [
    adSystemElement(wrapper),
    urlElement('VASTAdTagURI', wrapper.adTagUri),
    urlElement('Error', wrapper.errors[0]),
    impressionElements({ impressions }, inset),
    element('Creatives', creativeElements(wrapper.creatives, version)),
    extensionsElement(wrapper.extensions, extension),
  ].join('');
}

function wrapperSince4(wrapper: VastWrapper, version: VastVersion, inset: Inset): string {
  // In 4.0 a wrapper's own verification element has no scripts.
  const { own, extension } = verificationElements(wrapper.verifications, version === '4.0' ? '3.0' : version);
  return [
    adSystemElement(wrapper),
    urlElements('Error', wrapper.errors),
    extensionsElement(wrapper.extensions, extension),
    impressionElements(wrapper, inset),
    pricingElement(wrapper),
    viewableImpressionElement(wrapper.viewableImpressions, version, inset.views),
    own,
    blockedCategoryElements(wrapper, version),
    container('Creatives', creativeElements(wrapper.creatives, version)),
    urlElement('VASTAdTagURI', wrapper.adTagUri),
  ].join('');
}

function blockedCategoryElements({ blockedAdCategories }: VastWrapper, version: VastVersion): string {
  if (!isAtLeast(version, '4.1')) return '';
  return blockedAdCategories
    .map(({ authority, code }) => element('BlockedAdCategories', escaped(code), { authority }))
    .join('');
}

/** One creative for each kind: before 4.0 a creative must be of one kind, and in later versions it may. */
function creativeElements({ linear, nonLinear, companions }: WrapperCreatives, version: VastVersion): string {
  const parts = [
    container('Linear', linearContent(linear, version)),
    container('NonLinearAds', nonLinearContent(nonLinear, version)),
    companionsElement({ companions }, version),
  ];
  return parts.map((part) => container('Creative', part)).join('');
}

function linearContent(
  { icons, trackingEvents, videoClicks }: WrapperCreatives['linear'],
  version: VastVersion,
): string {
  // A wrapper may have a click-through since 4.2, and other clicks since 3.0.
  const { clickThrough, clickTracking, customClicks } = videoClicks;
  const clicks = {
    ...(version === '4.2' && clickThrough && { clickThrough }),
    clickTracking,
    customClicks: version === '2.0' ? [] : customClicks,
  };
  return [
    iconsElement(icons, version),
    trackingEventsElement(trackingEvents, version),
    videoClicksElement(clicks, version),
  ].join('');
}

/** The trackers of overlays. 2.0 allows no overlay without a resource; since 4.0 each has one click tracker. */
function nonLinearContent(
  { trackingEvents, clickTracking }: WrapperCreatives['nonLinear'],
  version: VastVersion,
): string {
  const since4 = isAtLeast(version, '4.0');
  const overlays = (version === '2.0' ? [] : clickTracking).map(({ id, url }) =>
    element('NonLinear', urlElement('NonLinearClickTracking', url, { id: since4 ? id : undefined })),
  );
  return trackingEventsElement(trackingEvents, version) + overlays.join('');
}

/** The companions of a wrapper. One without a resource tracks the ad's own companions, which 2.0 does not know. */
function companionsElement({ companions }: CompanionAds, version: VastVersion): string {
  const known = version === '2.0' ? companions.filter(({ resources }) => hasResource(resources)) : companions;
  return companionAdsElement({ companions: known }, version, true);
}
