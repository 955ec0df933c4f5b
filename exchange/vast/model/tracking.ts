/** A URL as the document has it, macros and all; white space around it is gone. */
export interface TrackedUrl {
  readonly id?: string;
  readonly url: string;
}

/** `event` is a name of any VAST version; `offset` is `hh:mm:ss(.mmm)` or a percentage. */
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
