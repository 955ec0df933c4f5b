import { isObject } from '../openrtb/shape.ts';
import type { NativeRequest } from './render/native-request.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/** Events and the method "image" (OpenRTB Native 1.2 §7.6, §7.7). */
const EVENT_IMPRESSION = 1;
const EVENT_VIEWABLE_MRC50 = 2;
const EVENT_VIEWABLE_VIDEO50 = 4;
const METHOD_IMAGE = 1;

/** An event tracker of a native response (OpenRTB Native 1.2 §5.8). */
export interface NativeTracker {
  readonly event: number;
  readonly method: number;
  readonly url: string;
}

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
