/** The event "impression" and the method "image" (OpenRTB Native 1.2 §7.6, §7.7). */
export const EVENT_IMPRESSION = 1;
export const METHOD_IMAGE = 1;

/** An event tracker of a native response (OpenRTB Native 1.2 §5.8). */
export interface NativeTracker {
  readonly event: number;
  readonly method: number;
  readonly url: string;
}

/** Trackers by the fields of a native response. */
interface PlacedTrackers {
  readonly imptrackers: readonly string[];
  readonly eventtrackers: readonly NativeTracker[];
}

/**
 * Places trackers where the renderer looks for them: those of impressions in `imptrackers` where it calls no event
 * trackers for these, all others in `eventtrackers`. `urls` are called at the impression.
 */
export function placeNativeTrackers(
  urls: readonly string[],
  views: readonly NativeTracker[],
  callsImpressionEvents: boolean,
): PlacedTrackers {
  const all = [...urls.map((url) => ({ event: EVENT_IMPRESSION, method: METHOD_IMAGE, url })), ...views];
  if (callsImpressionEvents) return { imptrackers: [], eventtrackers: all };
  return {
    imptrackers: all.filter(isImpression).map(({ url }) => url),
    eventtrackers: all.filter((tracker) => !isImpression(tracker)),
  };
}

function isImpression({ event }: NativeTracker): boolean {
  return event === EVENT_IMPRESSION;
}
