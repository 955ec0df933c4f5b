import Type, { type Static } from 'typebox';
import { VastCreative } from './model/creative.ts';
import { Extension } from './model/extension.ts';
import { TrackedUrl, ViewableImpression } from './model/tracking.ts';
import { Verification } from './model/verification.ts';

export const Pricing = Type.Object({
  /** cpm, cpc, cpe or cpv. */
  model: Type.String(),
  /** ISO 4217. */
  currency: Type.String(),
  /** A decimal, as written. */
  value: Type.String(),
});
export type Pricing = Static<typeof Pricing>;

/**
 * One inline ad: all of a VAST 2.0 to 4.2 document that is served, whichever version it was written in. Plain JSON, so
 * that an actor can keep it. URLs are as in the document, or, once media are hosted here, paths on the edge.
 */
export const VastAd = Type.Object({
  kind: Type.Literal('inline'),
  id: Type.Optional(Type.String()),
  /** Its place in a pod; absent for a stand-alone ad. */
  sequence: Type.Optional(Type.Integer()),
  adType: Type.Optional(Type.Enum(['video', 'audio', 'hybrid'])),
  adSystem: Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) }),
  adTitle: Type.String(),
  adServingId: Type.Optional(Type.String()),
  advertiser: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  pricing: Type.Optional(Pricing),
  survey: Type.Optional(Type.Object({ type: Type.Optional(Type.String()), url: Type.String() })),
  categories: Type.Array(Type.Object({ authority: Type.Optional(Type.String()), code: Type.String() })),
  /** Seconds. */
  expires: Type.Optional(Type.Integer()),
  errors: Type.Array(Type.String()),
  impressions: Type.Array(TrackedUrl),
  viewableImpressions: Type.Array(ViewableImpression),
  verifications: Type.Array(Verification),
  extensions: Type.Array(Extension),
  creatives: Type.Array(VastCreative),
});
export type VastAd = Static<typeof VastAd>;
