/**
 * What a viewability URL reports (MRC, Viewable Ad Impression Measurement Guidelines): `measurable`, viewability can be
 * measured; `viewable`, the ad was viewable; `not_viewable`, it was measured and not viewable; `undetermined`, it
 * cannot be measured.
 */
export type ViewabilityEvent = 'measurable' | 'viewable' | 'not_viewable' | 'undetermined';

/** Makes the URLs that a player or renderer calls to report viewability. */
export type ViewabilityUrl = (event: ViewabilityEvent) => string;
