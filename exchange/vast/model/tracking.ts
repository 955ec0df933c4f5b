import Type, { type Static } from 'typebox';

/** A URL as the document has it, macros and all; white space around it is gone. */
export const TrackedUrl = Type.Object({ id: Type.Optional(Type.String()), url: Type.String() });
export type TrackedUrl = Static<typeof TrackedUrl>;

/** `event` is a name of any VAST version; `offset` is `hh:mm:ss(.mmm)` or a percentage. */
export const TrackingEvent = Type.Object({
  event: Type.String(),
  offset: Type.Optional(Type.String()),
  url: Type.String(),
});
export type TrackingEvent = Static<typeof TrackingEvent>;

export const VideoClicks = Type.Object({
  clickThrough: Type.Optional(TrackedUrl),
  clickTracking: Type.Array(TrackedUrl),
  customClicks: Type.Array(TrackedUrl),
});
export type VideoClicks = Static<typeof VideoClicks>;

export const ViewableImpression = Type.Object({
  id: Type.Optional(Type.String()),
  viewable: Type.Array(Type.String()),
  notViewable: Type.Array(Type.String()),
  viewUndetermined: Type.Array(Type.String()),
});
export type ViewableImpression = Static<typeof ViewableImpression>;
