import { parseDurationMs } from '../duration.ts';
import type { Companion, CompanionAds } from '../model/companion.ts';
import type { Icon } from '../model/icon.ts';
import type { NonLinear } from '../model/non-linear.ts';
import type { AdParameters, Resources } from '../model/resource.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { extensions, trackedUrls, trackingEvents } from './read-tracking.ts';
import { childText, decimalAttribute, flagAttribute, oneOfAttribute, urlOf, urlsOf, wholeAttribute } from './values.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

export function adParametersOf(parent: XmlElement): AdParameters | undefined {
  const element = childOf(parent, 'AdParameters');
  if (element === undefined) return undefined;
  return withoutUndefined({ xmlEncoded: flagAttribute(element, 'xmlEncoded'), text: textOf(element) });
}

function resourcesOf(element: XmlElement): Resources {
  return {
    static: childrenOf(element, 'StaticResource').flatMap((resource) => {
      const url = urlOf(resource);
      return url === undefined ? [] : { creativeType: attributeOf(resource, 'creativeType') ?? '', url };
    }),
    iframe: urlsOf(element, 'IFrameResource'),
    html: childrenOf(element, 'HTMLResource').flatMap((resource) => textOf(resource) || []),
  };
}

export function companionAdsOf(element: XmlElement): CompanionAds {
  return withoutUndefined({
    required: oneOfAttribute(element, 'required', ['all', 'any', 'none'] as const),
    companions: childrenOf(element, 'Companion').map(companionOf),
  });
}

function companionOf(element: XmlElement): Companion {
  return withoutUndefined({
    id: attributeOf(element, 'id'),
    width: wholeAttribute(element, 'width') ?? 0,
    height: wholeAttribute(element, 'height') ?? 0,
    assetWidth: wholeAttribute(element, 'assetWidth'),
    assetHeight: wholeAttribute(element, 'assetHeight'),
    expandedWidth: wholeAttribute(element, 'expandedWidth'),
    expandedHeight: wholeAttribute(element, 'expandedHeight'),
    apiFramework: attributeOf(element, 'apiFramework'),
    adSlotId: attributeOf(element, 'adSlotId'),
    pxratio: decimalAttribute(element, 'pxratio'),
    renderingMode: oneOfAttribute(element, 'renderingMode', ['default', 'end-card', 'concurrent'] as const),
    resources: resourcesOf(element),
    adParameters: adParametersOf(element),
    altText: childText(element, 'AltText'),
    clickThrough: urlOf(childOf(element, 'CompanionClickThrough')),
    clickTracking: trackedUrls(element, 'CompanionClickTracking'),
    extensions: extensions(element, 'CreativeExtensions', 'CreativeExtension'),
    trackingEvents: trackingEvents(element),
  });
}

export function nonLinearOf(element: XmlElement): NonLinear {
  return withoutUndefined({
    id: attributeOf(element, 'id'),
    width: wholeAttribute(element, 'width') ?? 0,
    height: wholeAttribute(element, 'height') ?? 0,
    expandedWidth: wholeAttribute(element, 'expandedWidth'),
    expandedHeight: wholeAttribute(element, 'expandedHeight'),
    scalable: flagAttribute(element, 'scalable'),
    maintainAspectRatio: flagAttribute(element, 'maintainAspectRatio'),
    minSuggestedDurationMs: parseDurationMs(attributeOf(element, 'minSuggestedDuration')),
    apiFramework: attributeOf(element, 'apiFramework'),
    resources: resourcesOf(element),
    adParameters: adParametersOf(element),
    clickThrough: urlOf(childOf(element, 'NonLinearClickThrough')),
    clickTracking: trackedUrls(element, 'NonLinearClickTracking'),
  });
}

/** Reads the `Icons` of a `Linear`. */
export function iconsOf(linear: XmlElement): Icon[] {
  return childrenOf(childOf(linear, 'Icons'), 'Icon').map((element) => {
    const clicks = childOf(element, 'IconClicks');
    return withoutUndefined({
      program: attributeOf(element, 'program'),
      width: wholeAttribute(element, 'width') ?? 0,
      height: wholeAttribute(element, 'height') ?? 0,
      xPosition: positionOf(element, 'xPosition', ['left', 'right']),
      yPosition: positionOf(element, 'yPosition', ['top', 'bottom']),
      offsetMs: parseDurationMs(attributeOf(element, 'offset')),
      durationMs: parseDurationMs(attributeOf(element, 'duration')),
      apiFramework: attributeOf(element, 'apiFramework'),
      pxratio: decimalAttribute(element, 'pxratio'),
      resources: resourcesOf(element),
      clickThrough: urlOf(childOf(clicks, 'IconClickThrough')),
      clickTracking: trackedUrls(clicks, 'IconClickTracking'),
      fallbackImages: fallbackImagesOf(clicks),
      viewTracking: urlsOf(element, 'IconViewTracking'),
    });
  });
}

function positionOf(element: XmlElement, name: string, sides: readonly [string, string]): string {
  return oneOfAttribute(element, name, sides) ?? String(wholeAttribute(element, name) ?? sides[0]);
}

function fallbackImagesOf(clicks: XmlElement | undefined): Icon['fallbackImages'] {
  return childrenOf(childOf(clicks, 'IconClickFallbackImages'), 'IconClickFallbackImage').map((element) =>
    withoutUndefined({
      width: wholeAttribute(element, 'width'),
      height: wholeAttribute(element, 'height'),
      altText: childText(element, 'AltText'),
      url: urlOf(childOf(element, 'StaticResource')),
    }),
  );
}
