import Type, { type Static } from 'typebox';
import { FeedOutbox } from '../impression-rollup/feed-outbox.ts';

const Count = Type.Integer({ minimum: 0 });

/** Impressions that are alike in everything that a ledger tells apart. */
export const RollupRow = Type.Object({
  publisher: Type.String(),
  dsp: Type.String(),
  campaign: Type.Union([Type.String(), Type.Null()]),
  /** As books know it: see ledger/row-name.ts. */
  crid: Type.String(),
  region: Type.String(),
  sandbox: Type.Boolean(),
  /** The publisher's; absent where an older edge did not say. */
  account: Type.Optional(Type.String()),
  /** Start of the budget slot in which it was sold; absent where an older edge did not say. */
  slotMs: Type.Optional(Count),
  /** Absent: 0, as for all that is live. */
  publisherGeneration: Type.Optional(Count),
  dspGeneration: Type.Optional(Count),
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  /** The position of the last impression in it. */
  changedAt: Type.String(),
});

/** Invalid traffic that is alike in everything that a ledger tells apart: it has no creatives and no budget slots. */
export const InvalidRollupRow = Type.Object({
  ...Type.Pick(RollupRow, ['publisher', 'dsp', 'campaign', 'region', 'sandbox', 'account']).properties,
  ...Type.Pick(RollupRow, ['publisherGeneration', 'dspGeneration']).properties,
  /** By the names of actors/ledger/invalid-counts.ts; none is ever lowered. */
  counts: Type.Record(Type.String(), Count),
  /** The position of the last impression in it. */
  changedAt: Type.String(),
});

/** One minute of one impression partition. */
export const RollupPage = Type.Object({
  minuteMs: Count,
  /** The position of the last impression on it. */
  changedAt: Type.String(),
  rows: Type.Array(RollupRow),
  /** Absent: none, as on most. */
  invalid: Type.Optional(Type.Array(InvalidRollupRow)),
});

export const ImpressionRollupState = Type.Object({
  /** Oldest first; those that all ledgers have been told the last of are gone. */
  pages: Type.Array(RollupPage),
  /** Of the whole day, with the pages that are gone: what the ledgers' books must add up to. */
  day: Type.Object({
    impressions: Count,
    grossNanos: Count,
    feeNanos: Count,
    /**
     * Ids that were taken in: each with its first entry, valid or not. Absent, and then as many as `impressions`, where a release has
     * folded that knew none but valid ones.
     */
    taken: Type.Optional(Count),
    /** Of invalid traffic, by the names of actors/ledger/invalid-counts.ts. Absent: none. */
    invalid: Type.Optional(Type.Record(Type.String(), Count)),
  }),
  fed: FeedOutbox,
});

export type RollupRow = Static<typeof RollupRow>;
export type InvalidRollupRow = Static<typeof InvalidRollupRow>;
export type RollupPage = Static<typeof RollupPage>;
export type ImpressionRollupState = Static<typeof ImpressionRollupState>;
