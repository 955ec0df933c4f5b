import Type, { type Static } from 'typebox';

/** A CPM of 10,000 dollars, the highest that the auction lets pass: it keeps the sums of a day exact. */
const MAX_CPM_MICROS = 10_000_000_000;

/** One billed impression, as the edge that took the pixel call verified it. What is absent is none or false. */
export const Impression = Type.Object({
  /** The tracking id. */
  id: Type.String(),
  auction: Type.String(),
  publisher: Type.String(),
  partner: Type.Optional(Type.String()),
  dsp: Type.String(),
  campaign: Type.Optional(Type.String()),
  /** The publisher's account. Older entries name none. */
  account: Type.Optional(Type.String()),
  /** When it was sold, ms since the epoch by the selling edge's clock: names the budget slot that pays. Older entries name none. */
  soldAtMs: Type.Optional(Type.Integer({ minimum: 0 })),
  crid: Type.Optional(Type.String()),
  /** The clearing price, whole micro-dollars CPM: the nano-dollars that this impression moves. */
  priceCpmMicros: Type.Integer({ minimum: 0, maximum: MAX_CPM_MICROS }),
  /** The publisher's fee at the moment of the impression, parts per million of gross. */
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  region: Type.String(),
  sandbox: Type.Optional(Type.Boolean()),
  /** Sandbox generations of both sources when the pixel was called (see sandbox-generation.ts). */
  publisherGeneration: Type.Optional(Type.Integer({ minimum: 1 })),
  dspGeneration: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The demand source does not want it in its feed. */
  unfed: Type.Optional(Type.Boolean()),
});

export type Impression = Static<typeof Impression>;

export const tallyMessages = { impression: Impression };
