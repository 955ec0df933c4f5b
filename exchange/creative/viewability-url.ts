/**
 * What the URL of a view tells (MRC, Viewable Ad Impression Measurement Guidelines): that it could be told whether the ad was seen;
 * that it was; that it could be told and was not; that it cannot be told.
 */
export type ViewabilityEvent = 'measurable' | 'viewable' | 'not_viewable' | 'undetermined';

/** Makes the URLs that whoever shows an ad calls when it is seen, or is not. */
export type ViewabilityUrl = (told: ViewabilityEvent) => string;
