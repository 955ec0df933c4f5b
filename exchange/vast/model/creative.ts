import Type, { type Static } from 'typebox';
import { CompanionAds } from './companion.ts';
import { Extension } from './extension.ts';
import { Linear } from './linear.ts';
import { NonLinearAds } from './non-linear.ts';

/** A `Creative` of an inline ad. */
export const VastCreative = Type.Object({
  id: Type.Optional(Type.String()),
  adId: Type.Optional(Type.String()),
  sequence: Type.Optional(Type.Integer()),
  apiFramework: Type.Optional(Type.String()),
  universalAdIds: Type.Array(Type.Object({ registry: Type.String(), value: Type.String() })),
  linear: Type.Optional(Linear),
  nonLinearAds: Type.Optional(NonLinearAds),
  companionAds: Type.Optional(CompanionAds),
  extensions: Type.Array(Extension),
});
export type VastCreative = Static<typeof VastCreative>;
