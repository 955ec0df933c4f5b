/** A URL as in the document, with its macros and without white space around it. */
export interface TrackedUrl {
  readonly id?: string;
  readonly url: string;
}

/** A tracked event. `event` is a name of any VAST version; `offset` is `hh:mm:ss(.mmm)` or a percentage. */
export interface TrackingEvent {
  readonly event: string;
  readonly offset?: string;
  readonly url: string;
}

export interface VideoClicks {
  readonly clickThrough?: TrackedUrl;
  readonly clickTracking: readonly TrackedUrl[];
  readonly customClicks: readonly TrackedUrl[];
}

export interface ViewableImpression {
  readonly id?: string;
  readonly viewable: readonly string[];
  readonly notViewable: readonly string[];
  readonly viewUndetermined: readonly string[];
}
