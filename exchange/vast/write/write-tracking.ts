import type { Extension } from '../model/extension.ts';
import type { TrackedUrl, TrackingEvent, VideoClicks, ViewableImpression } from '../model/tracking.ts';
import type { Verification } from '../model/verification.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import { eventName } from './event-names.ts';
import type { InjectedViewability } from './inset.ts';
import { cdata, container, element, urlElement, urlElements } from './xml-text.ts';

export function trackedElements(name: string, urls: readonly TrackedUrl[]): string {
  return urls.map(({ id, url }) => urlElement(name, url, { id })).join('');
}

export function trackingEventsElement(events: readonly TrackingEvent[], version: VastVersion): string {
  const content = events.map(({ event, offset, url }) => {
    const name = eventName(event, version);
    if (name === undefined) return '';
    return urlElement('Tracking', url, { event: name, offset: isAtLeast(version, '3.0') ? offset : undefined });
  });
  return container('TrackingEvents', content.join(''));
}

/** The video clicks. The schemas demand the same three kinds, each in another order. */
export function videoClicksElement(clicks: VideoClicks, version: VastVersion): string {
  const through = clicks.clickThrough ? trackedElements('ClickThrough', [clicks.clickThrough]) : '';
  const tracking = trackedElements('ClickTracking', clicks.clickTracking);
  const custom = trackedElements('CustomClick', clicks.customClicks);
  if (!isAtLeast(version, '4.0')) return container('VideoClicks', through + tracking + custom);
  if (!isAtLeast(version, '4.2')) return container('VideoClicks', tracking + custom + through);
  return container('VideoClicks', tracking + through + custom);
}

/** Writes all viewability trackers into one element: the schemas allow no second one. */
export function viewableImpressionElement(
  impressions: readonly ViewableImpression[],
  version: VastVersion,
  inset: InjectedViewability,
): string {
  if (!isAtLeast(version, '4.0')) return '';
  if (impressions.length === 0) return inset.whole;
  const content = [
    inset.viewable,
    urlElements(
      'Viewable',
      impressions.flatMap(({ viewable }) => viewable),
    ),
    inset.notViewable,
    urlElements(
      'NotViewable',
      impressions.flatMap(({ notViewable }) => notViewable),
    ),
    inset.undetermined,
    urlElements(
      'ViewUndetermined',
      impressions.flatMap(({ viewUndetermined }) => viewUndetermined),
    ),
  ].join('');
  return container('ViewableImpression', content, { id: impressions.find(({ id }) => id !== undefined)?.id });
}

/**
 * Writes verifications where they belong: in the ad's own element since VAST 4.1, and before in an extension of type
 * AdVerifications, where measurement vendors look for it (OM SDK, VAST 4.0 and earlier). VAST 4.0's own element only
 * knows plain scripts; those are written there.
 */
export function verificationElements(
  verifications: readonly Verification[],
  version: VastVersion,
): { readonly own: string; readonly extension: string } {
  if (isAtLeast(version, '4.1')) return { own: adVerifications(verifications), extension: '' };
  const isPlain = (verification: Verification) => version === '4.0' && isPlainScript(verification);
  const inExtension = adVerifications(verifications.filter((verification) => !isPlain(verification)));
  return {
    own: adVerifications(verifications.filter(isPlain)),
    extension: container('Extension', inExtension, { type: 'AdVerifications' }),
  };
}

function isPlainScript({ scripts, executables, trackingEvents, parameters }: Verification): boolean {
  if (executables.length > 0 || trackingEvents.length > 0 || parameters !== undefined) return false;
  return scripts.every((script) => script.browserOptional === undefined && script.apiFramework !== 'omid');
}

function adVerifications(verifications: readonly Verification[]): string {
  return container('AdVerifications', verifications.map(verificationElement).join(''));
}

function verificationElement(verification: Verification): string {
  const { vendor, scripts, executables, trackingEvents, parameters } = verification;
  const content = [
    ...executables.map(({ url, ...values }) => urlElement('ExecutableResource', url, values)),
    ...scripts.map(({ url, ...values }) => urlElement('JavaScriptResource', url, values)),
    container(
      'TrackingEvents',
      trackingEvents.map(({ event, url }) => urlElement('Tracking', url, { event })).join(''),
    ),
    parameters === undefined ? '' : element('VerificationParameters', cdata(parameters)),
  ];
  return element('Verification', content.join(''), { vendor });
}

/** `extra` is one more extension as XML. */
export function extensionsElement(extensions: readonly Extension[], extra: string): string {
  const content = extensions.map(({ type, xml }) => element('Extension', xml, { type })).join('');
  return container('Extensions', content + extra);
}

export function creativeExtensionsElement(extensions: readonly Extension[]): string {
  const content = extensions.map(({ type, xml }) => element('CreativeExtension', xml, { type }));
  return container('CreativeExtensions', content.join(''));
}
