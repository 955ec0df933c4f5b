import Type, { type Static } from 'typebox';

/** A CPM of 10,000 dollars, the highest that the auction lets pass: it keeps the sums of a day exact. */
const MAX_CPM_MICROS = 10_000_000_000;

/**
 * A name from the edge's release, which may know reasons that the rollup's does not (see
 * exchange/invalid-traffic/invalid-reason.ts).
 */
const InvalidName = Type.String({ pattern: '^[a-z][a-z-]{0,31}$' });

/** One billed impression, as verified by the edge that took the pixel call. An absent field means none or false. */
export const Impression = Type.Object({
  /** The tracking id. */
  id: Type.String(),
  auction: Type.String(),
  publisher: Type.String(),
  partner: Type.Optional(Type.String()),
  dsp: Type.String(),
  campaign: Type.Optional(Type.String()),
  /** The publisher's account. Older entries have none. */
  account: Type.Optional(Type.String()),
  /**
   * When it was sold, ms since the epoch by the selling edge's clock: selects the budget window that pays. Older
   * entries have none.
   */
  soldAtMs: Type.Optional(Type.Integer({ minimum: 0 })),
  crid: Type.Optional(Type.String()),
  /** The clearing price, whole micro-dollars CPM: equal to the nano-dollars that this impression moves. */
  priceCpmMicros: Type.Integer({ minimum: 0, maximum: MAX_CPM_MICROS }),
  /** The publisher's fee at the moment of the impression, parts per million of gross. */
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  region: Type.String(),
  sandbox: Type.Optional(Type.Boolean()),
  /** The sandbox generations of both sources when the pixel was called (see sandbox-generation.ts). */
  publisherGeneration: Type.Optional(Type.Integer({ minimum: 1 })),
  dspGeneration: Type.Optional(Type.Integer({ minimum: 1 })),
  /** True when the demand source does not want it in its feed. */
  unfed: Type.Optional(Type.Boolean()),
  /**
   * The reason why an earlier call of this id was invalid traffic, if one was: the id has been counted for that
   * already.
   */
  revalidates: Type.Optional(InvalidName),
  /** The W3C trace context of a traced call. */
  trace: Type.Optional(Type.String()),
});

export type Impression = Static<typeof Impression>;

/**
 * An impression that invalid traffic called for: it bills nothing, and a valid call of the same id may come after it.
 * Its price is what was not charged.
 */
export const InvalidImpression = Type.Object({
  ...Type.Omit(Impression, ['revalidates', 'unfed']).properties,
  reason: InvalidName,
});

export type InvalidImpression = Static<typeof InvalidImpression>;

export const impressionRollupMessages = { impression: Impression, invalid: InvalidImpression };
