import Type, { type Static } from 'typebox';
import { Extension } from './extension.ts';
import { AdParameters, Pixels, Resources } from './resource.ts';
import { TrackedUrl, TrackingEvent } from './tracking.ts';

/** An ad beside the player. */
export const Companion = Type.Object({
  id: Type.Optional(Type.String()),
  width: Pixels,
  height: Pixels,
  assetWidth: Type.Optional(Pixels),
  assetHeight: Type.Optional(Pixels),
  expandedWidth: Type.Optional(Pixels),
  expandedHeight: Type.Optional(Pixels),
  apiFramework: Type.Optional(Type.String()),
  adSlotId: Type.Optional(Type.String()),
  pxratio: Type.Optional(Type.Number()),
  renderingMode: Type.Optional(Type.Enum(['default', 'end-card', 'concurrent'])),
  resources: Resources,
  adParameters: Type.Optional(AdParameters),
  altText: Type.Optional(Type.String()),
  clickThrough: Type.Optional(Type.String()),
  clickTracking: Type.Array(TrackedUrl),
  extensions: Type.Array(Extension),
  trackingEvents: Type.Array(TrackingEvent),
});
export type Companion = Static<typeof Companion>;

export const CompanionAds = Type.Object({
  required: Type.Optional(Type.Enum(['all', 'any', 'none'])),
  companions: Type.Array(Companion),
});
export type CompanionAds = Static<typeof CompanionAds>;
