import Type, { type Static } from 'typebox';
import { Pixels, Resources } from './resource.ts';
import { TrackedUrl } from './tracking.ts';

/** An industry icon over the ad, such as AdChoices (VAST 4.2 §3.11). Times in ms. */
export const Icon = Type.Object({
  program: Type.Optional(Type.String()),
  width: Pixels,
  height: Pixels,
  /** Pixels from the left, `left` or `right`. */
  xPosition: Type.String(),
  /** Pixels from the top, `top` or `bottom`. */
  yPosition: Type.String(),
  offsetMs: Type.Optional(Type.Integer({ minimum: 0 })),
  durationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  apiFramework: Type.Optional(Type.String()),
  pxratio: Type.Optional(Type.Number()),
  resources: Resources,
  clickThrough: Type.Optional(Type.String()),
  clickTracking: Type.Array(TrackedUrl),
  fallbackImages: Type.Array(
    Type.Object({
      width: Type.Optional(Pixels),
      height: Type.Optional(Pixels),
      altText: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
    }),
  ),
  viewTracking: Type.Array(Type.String()),
});
export type Icon = Static<typeof Icon>;
