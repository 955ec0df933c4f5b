import { formatDuration } from '../duration.ts';
import type { Companion, CompanionAds } from '../model/companion.ts';
import type { Icon } from '../model/icon.ts';
import type { NonLinear, NonLinearAds } from '../model/non-linear.ts';
import type { AdParameters, Resources } from '../model/resource.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import { creativeExtensionsElement, trackedElements, trackingEventsElement } from './write-tracking.ts';
import { cdata, container, element, textElement, urlElement, urlElements } from './xml-text.ts';

export function adParametersElement(parameters: AdParameters | undefined, version: VastVersion): string {
  if (parameters === undefined) return '';
  const xmlEncoded = isAtLeast(version, '3.0') ? parameters.xmlEncoded : undefined;
  return element('AdParameters', cdata(parameters.text), { xmlEncoded });
}

/** The resources. Before 4.0 only one is allowed: a file is preferred to a frame, and a frame to markup. */
function resourceElements({ static: files, iframe, html }: Resources, version: VastVersion): string {
  const staticElements = files.map(({ creativeType, url }) => urlElement('StaticResource', url, { creativeType }));
  const iframeElements = iframe.map((url) => urlElement('IFrameResource', url));
  const htmlElements = html.map((markup) => element('HTMLResource', cdata(markup)));
  if (isAtLeast(version, '4.0')) return [...htmlElements, ...iframeElements, ...staticElements].join('');
  return [...staticElements, ...iframeElements, ...htmlElements][0] ?? '';
}

/** `inWrapper`: 3.0 allows click trackers of companions only in wrappers. */
export function companionAdsElement(
  { companions, required }: CompanionAds,
  version: VastVersion,
  inWrapper = false,
): string {
  const content = companions.map((companion) => companionElement(companion, version, inWrapper)).join('');
  return container('CompanionAds', content, { required: isAtLeast(version, '3.0') ? required : undefined });
}

function companionElement(companion: Companion, version: VastVersion, inWrapper: boolean): string {
  const { id, width, height, assetWidth, assetHeight, expandedWidth, expandedHeight, apiFramework } = companion;
  const { adSlotId, pxratio, renderingMode } = companion;
  const resources = resourceElements(companion.resources, version);
  const parameters = adParametersElement(companion.adParameters, version);
  const altText = textElement('AltText', companion.altText);
  const through = urlElement('CompanionClickThrough', companion.clickThrough);
  const events = trackingEventsElement(companion.trackingEvents, version);
  const extensions = isAtLeast(version, '3.0') ? creativeExtensionsElement(companion.extensions) : '';
  const values = {
    id,
    width,
    height,
    ...(isAtLeast(version, '3.0') && { assetWidth, assetHeight }),
    expandedWidth,
    expandedHeight,
    apiFramework,
    // Only 4.0 spells the attribute `adSlotID`.
    ...(version === '4.0' ? { adSlotID: adSlotId } : version === '2.0' ? {} : { adSlotId }),
    ...(isAtLeast(version, '4.0') && { pxratio }),
    ...(isAtLeast(version, '4.1') && { renderingMode }),
  };
  if (!isAtLeast(version, '4.0')) {
    const clicks = inWrapper && version === '3.0' ? companion.clickTracking.map(({ url }) => url) : [];
    const tracking = urlElements('CompanionClickTracking', clicks);
    return element('Companion', resources + extensions + events + through + tracking + altText + parameters, values);
  }
  const tracking = companion.clickTracking
    .map(({ id = '', url }) => urlElement('CompanionClickTracking', url, { id }))
    .join('');
  return element('Companion', resources + parameters + altText + through + tracking + extensions + events, values);
}

/** The overlays of an ad. Before 4.0 the element must contain an overlay. */
export function nonLinearAdsElement({ nonLinears, trackingEvents }: NonLinearAds, version: VastVersion): string {
  if (nonLinears.length === 0) return '';
  const overlays = nonLinears.map((overlay) => nonLinearElement(overlay, version));
  return element('NonLinearAds', trackingEventsElement(trackingEvents, version) + overlays.join(''));
}

function nonLinearElement(overlay: NonLinear, version: VastVersion): string {
  const { id, width, height, expandedWidth, expandedHeight, scalable, maintainAspectRatio, apiFramework } = overlay;
  const { minSuggestedDurationMs } = overlay;
  const resources = resourceElements(overlay.resources, version);
  const parameters = adParametersElement(overlay.adParameters, version);
  const through = urlElement('NonLinearClickThrough', overlay.clickThrough);
  const tracking =
    version === '2.0' ? '' : trackedElements('NonLinearClickTracking', withoutIdBefore4(overlay, version));
  const values = {
    id,
    width,
    height,
    expandedWidth,
    expandedHeight,
    scalable,
    maintainAspectRatio,
    minSuggestedDuration: minSuggestedDurationMs === undefined ? undefined : formatDuration(minSuggestedDurationMs),
    apiFramework,
  };
  if (!isAtLeast(version, '4.0')) return element('NonLinear', resources + tracking + through + parameters, values);
  // The 4.0 schema has none of the attributes.
  return element('NonLinear', resources + parameters + through + tracking, version === '4.0' ? {} : values);
}

function withoutIdBefore4({ clickTracking }: NonLinear, version: VastVersion): NonLinear['clickTracking'] {
  return isAtLeast(version, '4.0') ? clickTracking : clickTracking.map(({ url }) => ({ url }));
}

/** The icons of an ad. 2.0 has no icons; 4.0 and 4.1 allow one. */
export function iconsElement(icons: readonly Icon[], version: VastVersion): string {
  if (version === '2.0') return '';
  const known = version === '4.0' || version === '4.1' ? icons.slice(0, 1) : icons;
  return container('Icons', known.map((icon) => iconElement(icon, version)).join(''));
}

function iconElement(icon: Icon, version: VastVersion): string {
  const { program, width, height, xPosition, yPosition, offsetMs, durationMs, apiFramework, pxratio } = icon;
  const since4 = isAtLeast(version, '4.0');
  const through = urlElement('IconClickThrough', icon.clickThrough);
  const tracking = since4
    ? trackedElements('IconClickTracking', icon.clickTracking)
    : urlElements(
        'IconClickTracking',
        icon.clickTracking.map(({ url }) => url),
      );
  const fallback = version === '4.2' ? fallbackElement(icon) : '';
  const clicks = container('IconClicks', since4 ? fallback + through + tracking : tracking + through);
  const content =
    resourceElements(icon.resources, version) + clicks + urlElements('IconViewTracking', icon.viewTracking);
  return element('Icon', content, {
    program: since4 ? program : (program ?? ''),
    width,
    height,
    xPosition,
    yPosition,
    offset: offsetMs === undefined ? undefined : formatDuration(offsetMs),
    duration: durationMs === undefined ? undefined : formatDuration(durationMs),
    apiFramework,
    pxratio: since4 ? pxratio : undefined,
  });
}

function fallbackElement({ fallbackImages }: Icon): string {
  const images = fallbackImages.map(({ width, height, altText, url }) =>
    element('IconClickFallbackImage', textElement('AltText', altText) + urlElement('StaticResource', url), {
      width,
      height,
    }),
  );
  return container('IconClickFallbackImages', images.join(''));
}
