import Type, { type Static } from 'typebox';
import { Fed } from './fed.ts';

const Count = Type.Integer({ minimum: 0 });

/** Impressions that are alike in everything that a ledger tells apart. */
export const TallyRow = Type.Object({
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
export const InvalidRow = Type.Object({
  ...Type.Pick(TallyRow, ['publisher', 'dsp', 'campaign', 'region', 'sandbox', 'account']).properties,
  ...Type.Pick(TallyRow, ['publisherGeneration', 'dspGeneration']).properties,
  /** By the names of actors/ledger/invalid-counts.ts; none is ever lowered. */
  counts: Type.Record(Type.String(), Count),
  /** The position of the last impression in it. */
  changedAt: Type.String(),
});

/** One minute of one impression partition. */
export const MinutePage = Type.Object({
  minuteMs: Count,
  /** The position of the last impression on it. */
  changedAt: Type.String(),
  rows: Type.Array(TallyRow),
  /** Absent: none, as on most. */
  invalid: Type.Optional(Type.Array(InvalidRow)),
});

export const TallyState = Type.Object({
  /** Oldest first; those that all ledgers have been told the last of are gone. */
  pages: Type.Array(MinutePage),
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
  fed: Fed,
});

export type TallyRow = Static<typeof TallyRow>;
export type InvalidRow = Static<typeof InvalidRow>;
export type MinutePage = Static<typeof MinutePage>;
export type TallyState = Static<typeof TallyState>;
