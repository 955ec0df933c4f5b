/** XML of the exchange's own that is inserted into an ad. */
export interface Inset {
  /** An `Impression` that comes before all others; '' for none. */
  readonly impression: string;
  /** The text of `AdServingId`. */
  readonly servingId: string;
  readonly views: InjectedViewability;
}

/** Viewability trackers (4.0 on); '' for none. */
export interface InjectedViewability {
  /** A whole `ViewableImpression`, for an ad that has none. */
  readonly whole: string;
  /** A tracker that comes before the ad's own of the same kind, as do the other two. */
  readonly viewable: string;
  readonly notViewable: string;
  readonly undetermined: string;
}

export const NO_VIEWABILITY: InjectedViewability = { whole: '', viewable: '', notViewable: '', undetermined: '' };
