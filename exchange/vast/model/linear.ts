import Type, { type Static } from 'typebox';
import { Icon } from './icon.ts';
import { AdParameters, Pixels } from './resource.ts';
import { TrackingEvent, VideoClicks } from './tracking.ts';

const OptionalText = Type.Optional(Type.String());
const OptionalCount = Type.Optional(Type.Integer({ minimum: 0 }));
const Delivery = Type.Enum(['progressive', 'streaming']);

/** A ready-to-serve file (VAST 4.2 §3.9.1); width and height 0 for audio. Bit rates in kbit/s, `fileSize` in bytes. */
export const MediaFile = Type.Object({
  url: Type.String(),
  id: OptionalText,
  delivery: Delivery,
  type: Type.String(),
  width: Pixels,
  height: Pixels,
  codec: OptionalText,
  bitrate: OptionalCount,
  minBitrate: OptionalCount,
  maxBitrate: OptionalCount,
  scalable: Type.Optional(Type.Boolean()),
  maintainAspectRatio: Type.Optional(Type.Boolean()),
  fileSize: OptionalCount,
  mediaType: OptionalText,
  apiFramework: OptionalText,
});
export type MediaFile = Static<typeof MediaFile>;

/** The raw file for transcoders (VAST 4.2 §3.9.2). Only the URL is known of one from a 4.0 document. */
export const Mezzanine = Type.Object({
  url: Type.String(),
  id: OptionalText,
  delivery: Delivery,
  type: Type.String(),
  width: Pixels,
  height: Pixels,
  codec: OptionalText,
  fileSize: OptionalCount,
  mediaType: OptionalText,
});
export type Mezzanine = Static<typeof Mezzanine>;

export const InteractiveCreativeFile = Type.Object({
  url: Type.String(),
  type: OptionalText,
  apiFramework: OptionalText,
  variableDuration: Type.Optional(Type.Boolean()),
});
export type InteractiveCreativeFile = Static<typeof InteractiveCreativeFile>;

export const ClosedCaptionFile = Type.Object({ url: Type.String(), type: OptionalText, language: OptionalText });
export type ClosedCaptionFile = Static<typeof ClosedCaptionFile>;

/** A video or audio ad. It has at least one media file. */
export const Linear = Type.Object({
  durationMs: Type.Integer({ minimum: 0 }),
  /** `hh:mm:ss(.mmm)` or a percentage. */
  skipoffset: OptionalText,
  adParameters: Type.Optional(AdParameters),
  mediaFiles: Type.Array(MediaFile, { minItems: 1 }),
  mezzanines: Type.Array(Mezzanine),
  interactiveFiles: Type.Array(InteractiveCreativeFile),
  closedCaptionFiles: Type.Array(ClosedCaptionFile),
  trackingEvents: Type.Array(TrackingEvent),
  videoClicks: VideoClicks,
  icons: Type.Array(Icon),
});
export type Linear = Static<typeof Linear>;
