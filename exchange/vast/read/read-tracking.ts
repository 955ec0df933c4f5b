import type { Extension } from '../model/extension.ts';
import type { TrackedUrl, TrackingEvent, VideoClicks, ViewableImpression } from '../model/tracking.ts';
import type { Verification } from '../model/verification.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { childText, flagAttribute, offsetOf, urlOf, urlsOf } from './values.ts';
import { fragmentOf } from './xml-fragment.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from './xml-tree.ts';

/** The children of that name that have a URL. */
export function trackedUrls(parent: XmlElement | undefined, name: string): TrackedUrl[] {
  return childrenOf(parent, name).flatMap((element) => trackedUrl(element) ?? []);
}

function trackedUrl(element: XmlElement | undefined): TrackedUrl | undefined {
  const url = urlOf(element);
  return element === undefined || url === undefined
    ? undefined
    : withoutUndefined({ id: attributeOf(element, 'id'), url });
}

/** Reads the `TrackingEvents` of an element. */
export function trackingEvents(parent: XmlElement): TrackingEvent[] {
  return childrenOf(childOf(parent, 'TrackingEvents'), 'Tracking').flatMap((element) => {
    const url = urlOf(element);
    const event = attributeOf(element, 'event');
    if (url === undefined || event === undefined) return [];
    return withoutUndefined({ event, offset: offsetOf(element, 'offset'), url });
  });
}

/** Reads the `VideoClicks` of a `Linear`. */
export function videoClicks(linear: XmlElement): VideoClicks {
  const clicks = childOf(linear, 'VideoClicks');
  return withoutUndefined({
    clickThrough: trackedUrl(childOf(clicks, 'ClickThrough')),
    clickTracking: trackedUrls(clicks, 'ClickTracking'),
    customClicks: trackedUrls(clicks, 'CustomClick'),
  });
}

/**
 * Reads the viewability trackers of an `InLine` or `Wrapper`. VAST 4.0 also has some inside its verifications, with one
 * URL or with all three kinds; later versions do not allow them there.
 */
export function viewableImpressions(body: XmlElement): ViewableImpression[] {
  const inVerifications = childrenOf(childOf(body, 'AdVerifications'), 'Verification').flatMap((verification) =>
    childrenOf(verification, 'ViewableImpression'),
  );
  return [...childrenOf(body, 'ViewableImpression'), ...inVerifications].flatMap((element) => {
    const plain = urlOf(element);
    const found = withoutUndefined({
      id: attributeOf(element, 'id'),
      viewable: [...urlsOf(element, 'Viewable'), ...(plain === undefined ? [] : [plain])],
      notViewable: urlsOf(element, 'NotViewable'),
      viewUndetermined: urlsOf(element, 'ViewUndetermined'),
    });
    return found.viewable.length + found.notViewable.length + found.viewUndetermined.length > 0 ? found : [];
  });
}

const VERIFICATION_EXTENSION = 'adverifications';

/** Reads the ad's `AdVerifications`, and those of the extension that replaces it before VAST 4.1. */
export function verifications(body: XmlElement): Verification[] {
  const inExtensions = childrenOf(childOf(body, 'Extensions'), 'Extension')
    .filter(isVerificationExtension)
    .flatMap((extension) => childrenOf(extension, 'AdVerifications'));
  return [...childrenOf(body, 'AdVerifications'), ...inExtensions]
    .flatMap((element) => childrenOf(element, 'Verification'))
    .map(verification)
    .filter(
      ({ scripts, executables, trackingEvents: events }) => scripts.length + executables.length + events.length > 0,
    );
}

function verification(element: XmlElement): Verification {
  return withoutUndefined({
    vendor: attributeOf(element, 'vendor'),
    scripts: resources(element, 'JavaScriptResource', (resource) => ({
      browserOptional: flagAttribute(resource, 'browserOptional'),
    })),
    executables: resources(element, 'ExecutableResource', (resource) => ({ type: attributeOf(resource, 'type') })),
    trackingEvents: trackingEvents(element),
    parameters: childText(element, 'VerificationParameters'),
  });
}

function resources<T extends object>(parent: XmlElement, name: string, more: (element: XmlElement) => T) {
  return childrenOf(parent, name).flatMap((element) => {
    const url = urlOf(element);
    if (url === undefined) return [];
    return withoutUndefined({ apiFramework: attributeOf(element, 'apiFramework'), ...more(element), url });
  });
}

function isVerificationExtension(extension: XmlElement): boolean {
  return attributeOf(extension, 'type')?.toLowerCase() === VERIFICATION_EXTENSION;
}

/** Reads all other extensions that contain an element; the schemas do not allow text alone there. */
export function extensions(parent: XmlElement, container: string, item: string): Extension[] {
  return childrenOf(childOf(parent, container), item)
    .filter((element) => !isVerificationExtension(element))
    .map((element) => withoutUndefined({ type: attributeOf(element, 'type'), xml: fragmentOf(element) }))
    .filter(({ xml }) => xml !== '');
}
