/** What is put into an ad from outside, as XML. */
export interface Inset {
  /** An `Impression` before all others; '' for none. */
  readonly impression: string;
  /** The text of `AdServingId`. */
  readonly servingId: string;
  readonly views: InjectedViewability;
}

/** Trackers of views (4.0 on), '' for none. */
export interface InjectedViewability {
  /** A whole `ViewableImpression`, for an ad that has none. */
  readonly whole: string;
  /** What comes before the ad's own of a kind. */
  readonly viewable: string;
  readonly notViewable: string;
  readonly undetermined: string;
}

export const NO_VIEWABILITY: InjectedViewability = { whole: '', viewable: '', notViewable: '', undetermined: '' };
