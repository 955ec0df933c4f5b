import type { NativeRequest } from './render/native-request.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/** OpenRTB Native 1.2 §7.6, §7.7. */
const EVENT_IMPRESSION = 1;
const EVENT_VIEWABLE_MRC50 = 2;
const EVENT_VIEWABLE_VIDEO50 = 4;
const METHOD_IMAGE = 1;

/**
 * The event trackers of a native ad that tell what was seen of it: the MRC's half for a second, of one with a video for two. Only for
 * a renderer whose request says that it tells so, by images: what it shows is measurable then, from the impression on.
 */
export function nativeViewabilityTrackers(
  request: NativeRequest | null,
  assets: unknown,
  viewUrl: ViewabilityUrl | undefined,
): readonly object[] {
  const event = hasVideo(assets) ? EVENT_VIEWABLE_VIDEO50 : EVENT_VIEWABLE_MRC50;
  if (viewUrl === undefined || !request?.eventsByImage.has(event)) return [];
  return [
    { event: EVENT_IMPRESSION, method: METHOD_IMAGE, url: viewUrl('measurable') },
    { event, method: METHOD_IMAGE, url: viewUrl('viewable') },
  ];
}

function hasVideo(assets: unknown): boolean {
  return (
    Array.isArray(assets) && assets.some((asset) => typeof asset === 'object' && asset !== null && 'video' in asset)
  );
}
