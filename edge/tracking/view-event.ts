import type { ViewabilityEvent } from '../../exchange/creative/viewability-url.ts';

/**
 * What is told of an impression (MRC, Viewable Ad Impression Measurement Guidelines): `measurable`: it was rendered where its
 * visibility can be told; `viewable`: half of its pixels were in view for a second without a break, of a large display ad
 * (242,500 pixels or more) three tenths, of a video for two seconds while it played; `not_viewable`: it was measurable and will
 * not be viewable, which is how players tell that it was measurable; `undetermined`: whoever shows it cannot tell.
 */
export const VIEW_EVENTS = [
  'measurable',
  'viewable',
  'not_viewable',
  'undetermined',
] as const satisfies readonly ViewabilityEvent[];
export type ViewabilityEventName = ViewabilityEvent;

/** What counts of an impression, each once. */
export type ViewabilityFact = 'measurable' | 'viewable';

/** What an event says: that an ad was seen could be measured, and players tell no more than that it was seen. */
export const FACTS_OF_EVENT: Readonly<Record<ViewabilityEventName, readonly ViewabilityFact[]>> = {
  measurable: ['measurable'],
  viewable: ['measurable', 'viewable'],
  not_viewable: ['measurable'],
  undetermined: [],
};

/** Where views are told: `{edge}/track/view?event=<event>&<query>`, with the query of the ad's tracking URL. */
export const VIEW_PATH = '/track/view';
