import type { ViewabilityEvent } from '../../exchange/creative/viewability-url.ts';

/**
 * The events reported of an impression (MRC, Viewable Ad Impression Measurement Guidelines). `measurable`: it was
 * rendered where its visibility can be measured. `viewable`: half of its pixels were in view for one second without a
 * break; of a large display ad (242,500 pixels or more), three tenths; of a video, for two seconds while it played.
 * `not_viewable`: it was measurable and will not be viewable, which is how players report that it was measurable.
 * `undetermined`: the renderer cannot measure it.
 */
export const VIEW_EVENTS = [
  'measurable',
  'viewable',
  'not_viewable',
  'undetermined',
] as const satisfies readonly ViewabilityEvent[];
export type ViewabilityEventName = ViewabilityEvent;

/** The facts counted of an impression, each once. */
export type ViewabilityFact = 'measurable' | 'viewable';

/** The facts that an event implies: a viewable ad was also measurable, and players report `viewable` only. */
export const FACTS_OF_EVENT: Readonly<Record<ViewabilityEventName, readonly ViewabilityFact[]>> = {
  measurable: ['measurable'],
  viewable: ['measurable', 'viewable'],
  not_viewable: ['measurable'],
  undetermined: [],
};

/** Path of viewability reports: `{edge}/track/view?event=<event>&<query>`, with the query of the ad's tracking URL. */
export const VIEW_PATH = '/track/view';
