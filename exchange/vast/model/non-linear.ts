import Type, { type Static } from 'typebox';
import { AdParameters, Pixels, Resources } from './resource.ts';
import { TrackedUrl, TrackingEvent } from './tracking.ts';

/** One overlay, of alternatives. */
export const NonLinear = Type.Object({
  id: Type.Optional(Type.String()),
  width: Pixels,
  height: Pixels,
  expandedWidth: Type.Optional(Pixels),
  expandedHeight: Type.Optional(Pixels),
  scalable: Type.Optional(Type.Boolean()),
  maintainAspectRatio: Type.Optional(Type.Boolean()),
  minSuggestedDurationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  apiFramework: Type.Optional(Type.String()),
  resources: Resources,
  adParameters: Type.Optional(AdParameters),
  clickThrough: Type.Optional(Type.String()),
  clickTracking: Type.Array(TrackedUrl),
});
export type NonLinear = Static<typeof NonLinear>;

export const NonLinearAds = Type.Object({
  nonLinears: Type.Array(NonLinear),
  trackingEvents: Type.Array(TrackingEvent),
});
export type NonLinearAds = Static<typeof NonLinearAds>;
