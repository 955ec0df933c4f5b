import { isObject } from '../openrtb/shape.ts';
import { EVENT_IMPRESSION, METHOD_IMAGE, type NativeTracker } from './native-trackers.ts';
import type { NativeRequest } from './render/native-request.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/** Events (OpenRTB Native 1.2 §7.6). */
const EVENT_VIEWABLE_MRC50 = 2;
const EVENT_VIEWABLE_VIDEO50 = 4;

/**
 * The event trackers that report a native ad's viewability by the MRC's definition: half of the ad for 1 s, of an ad
 * with a video for 2 s. They are added only for a renderer whose request says that it reports this event by images: the
 * impression is then measurable.
 */
export function nativeViewabilityTrackers(
  request: NativeRequest | null,
  assets: unknown,
  viewUrl: ViewabilityUrl | undefined,
): readonly NativeTracker[] {
  const event = hasVideo(assets) ? EVENT_VIEWABLE_VIDEO50 : EVENT_VIEWABLE_MRC50;
  if (viewUrl === undefined || !request?.eventsByImage.has(event)) return [];
  return [
    { event: EVENT_IMPRESSION, method: METHOD_IMAGE, url: viewUrl('measurable') },
    { event, method: METHOD_IMAGE, url: viewUrl('viewable') },
  ];
}

function hasVideo(assets: unknown): boolean {
  return Array.isArray(assets) && assets.some((asset) => isObject(asset) && asset.video !== undefined);
}
