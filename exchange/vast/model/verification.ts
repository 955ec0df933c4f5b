import Type, { type Static } from 'typebox';
import { TrackingEvent } from './tracking.ts';

/** Code that measures the ad (VAST 4.1 §3.16); before 4.1 it travels in an extension of type AdVerifications. */
export const Verification = Type.Object({
  vendor: Type.Optional(Type.String()),
  scripts: Type.Array(
    Type.Object({
      apiFramework: Type.Optional(Type.String()),
      browserOptional: Type.Optional(Type.Boolean()),
      url: Type.String(),
    }),
  ),
  executables: Type.Array(
    Type.Object({
      apiFramework: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
      url: Type.String(),
    }),
  ),
  trackingEvents: Type.Array(TrackingEvent),
  parameters: Type.Optional(Type.String()),
});
export type Verification = Static<typeof Verification>;
