import type { VastAd } from '#exchange/vast/ad';
import type { VastCreative } from '#exchange/vast/model/creative';
import type { Resources } from '#exchange/vast/model/resource';
import type { TrackingEvent } from '#exchange/vast/model/tracking';
import type { VastVersion } from '#exchange/vast/vast-version';

/** What each version has no name for, of 4.2's events; and what it calls otherwise. */
const UNKNOWN_EVENTS: Readonly<Record<VastVersion, readonly string[]>> = {
  '2.0': [
    'skip',
    'progress',
    'playerCollapse',
    'minimize',
    'loaded',
    'interactiveStart',
    'overlayViewDuration',
    'otherAdInteraction',
  ],
  '3.0': ['minimize', 'loaded', 'interactiveStart', 'overlayViewDuration', 'otherAdInteraction'],
  '4.0': ['loaded', 'interactiveStart'],
  '4.1': ['interactiveStart'],
  '4.2': [],
};
const OTHER_NAMES: Readonly<Record<VastVersion, Readonly<Record<string, string>>>> = {
  '2.0': { playerExpand: 'fullscreen', adExpand: 'expand', adCollapse: 'collapse', closeLinear: 'close' },
  '3.0': { playerExpand: 'fullscreen', playerCollapse: 'exitFullscreen', adExpand: 'expand', adCollapse: 'collapse' },
  '4.0': { closeLinear: 'close' },
  '4.1': {},
  '4.2': {},
};

/** The oracle: what is left of an ad once a version's schema has had its say, read off the schemas by hand. */
export function carried(ad: VastAd, version: VastVersion): VastAd {
  const number = Number(version);
  const kept = JSON.parse(JSON.stringify(ad)) as Writable<VastAd>;
  if (number < 3) {
    for (const key of ['sequence', 'advertiser', 'pricing'] as const) delete kept[key];
  }
  if (number < 4) {
    kept.errors = kept.errors.slice(0, 1);
    kept.viewableImpressions = [];
    kept.categories = [];
    if (kept.survey) delete kept.survey.type;
  }
  if (number < 4.1) {
    for (const key of ['adServingId', 'adType', 'expires'] as const) delete kept[key];
  }
  if (version === '4.0') {
    // Plain scripts stand in the ad's own element, before those of the extension.
    const isPlain = (one: VastAd['verifications'][number]) =>
      one.executables.length + one.trackingEvents.length === 0 &&
      one.parameters === undefined &&
      one.scripts.every((script) => script.apiFramework !== 'omid' && script.browserOptional === undefined);
    kept.verifications = [...kept.verifications.filter(isPlain), ...kept.verifications.filter((one) => !isPlain(one))];
  }
  kept.creatives = kept.creatives.flatMap((creative) => creativesCarried(creative, version));
  return JSON.parse(JSON.stringify(kept));
}

function creativesCarried(creative: Writable<VastCreative>, version: VastVersion): Writable<VastCreative>[] {
  const number = Number(version);
  linearCarried(creative, version);
  for (const overlay of creative.nonLinearAds?.nonLinears ?? []) {
    if (number < 3) overlay.clickTracking = [];
    if (number < 4) {
      overlay.clickTracking = overlay.clickTracking.map(({ url }) => ({ url }));
      overlay.resources = firstResource(overlay.resources);
    }
    if (number < 3) delete overlay.adParameters?.xmlEncoded;
    if (version !== '4.0') continue;
    const { resources, adParameters, clickThrough, clickTracking } = overlay;
    for (const key of Object.keys(overlay)) delete (overlay as object as Record<string, unknown>)[key];
    Object.assign(overlay, { width: 0, height: 0, resources, adParameters, clickThrough, clickTracking });
  }
  if (creative.nonLinearAds) {
    creative.nonLinearAds.trackingEvents = eventsCarried(creative.nonLinearAds.trackingEvents, version);
  }
  companionsCarried(creative, version);
  if (number < 4) delete creative.apiFramework;
  if (number < 4.2) creative.universalAdIds = number < 4 ? [] : creative.universalAdIds.slice(0, 1);
  if (number < 3) creative.extensions = [];
  if (number >= 4) return [creative];
  const { linear, nonLinearAds, companionAds, extensions, ...rest } = creative;
  return [
    { ...rest, extensions, ...(linear && { linear }) },
    ...(nonLinearAds ? [{ ...rest, extensions: [], nonLinearAds }] : []),
    ...(companionAds ? [{ ...rest, extensions: [], companionAds }] : []),
  ];
}

function linearCarried({ linear }: Writable<VastCreative>, version: VastVersion): void {
  const number = Number(version);
  if (!linear) return;
  linear.trackingEvents = eventsCarried(linear.trackingEvents, version);
  if (number < 3) {
    delete linear.skipoffset;
    delete linear.adParameters?.xmlEncoded;
    linear.icons = [];
  }
  for (const file of linear.mediaFiles) {
    if (number < 3) for (const key of ['codec', 'minBitrate', 'maxBitrate'] as const) delete file[key];
    if (number < 4.1) for (const key of ['fileSize', 'mediaType'] as const) delete file[key];
  }
  if (number < 4) {
    linear.mezzanines = [];
    linear.interactiveFiles = [];
  }
  if (number < 4.1) {
    linear.closedCaptionFiles = [];
    for (const file of linear.interactiveFiles) delete file.variableDuration;
    linear.mezzanines = linear.mezzanines
      .slice(0, 1)
      .map(({ url }) => ({ url, delivery: 'progressive', type: '', width: 0, height: 0 }));
  }
  if (version === '4.0' || version === '4.1') linear.icons = linear.icons.slice(0, 1);
  for (const icon of linear.icons) {
    if (number < 4.2) icon.fallbackImages = [];
    if (number >= 4) continue;
    delete icon.pxratio;
    icon.clickTracking = icon.clickTracking.map(({ url }) => ({ url }));
    icon.resources = firstResource(icon.resources);
  }
}

function companionsCarried({ companionAds }: Writable<VastCreative>, version: VastVersion): void {
  const number = Number(version);
  if (!companionAds) return;
  if (number < 3) delete companionAds.required;
  for (const companion of companionAds.companions) {
    companion.trackingEvents = eventsCarried(companion.trackingEvents, version);
    if (number < 3) {
      for (const key of ['assetWidth', 'assetHeight', 'adSlotId'] as const) delete companion[key];
      companion.extensions = [];
      delete companion.adParameters?.xmlEncoded;
    }
    if (number < 4) {
      delete companion.pxratio;
      companion.clickTracking = [];
      companion.resources = firstResource(companion.resources);
    }
    if (number < 4.1) delete companion.renderingMode;
  }
}

function eventsCarried(events: readonly TrackingEvent[], version: VastVersion): TrackingEvent[] {
  return events
    .filter(({ event }) => !UNKNOWN_EVENTS[version].includes(event))
    .map(({ event, offset, url }) => ({
      event: OTHER_NAMES[version][event] ?? event,
      ...(offset !== undefined && version !== '2.0' && { offset }),
      url,
    }));
}

function firstResource({ static: files }: Writable<Resources>): Writable<Resources> {
  return { static: files.slice(0, 1), iframe: [], html: [] };
}

type Writable<T> = T extends readonly (infer U)[]
  ? Writable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T;
