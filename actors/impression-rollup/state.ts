import Type, { type Static } from 'typebox';
import { FeedOutbox } from './feed-outbox.ts';

const Count = Type.Integer({ minimum: 0 });

/** A row of the impression rollup: impressions that are alike in everything that a ledger keeps apart. */
export const RollupRow = Type.Object({
  publisher: Type.String(),
  dsp: Type.String(),
  campaign: Type.Union([Type.String(), Type.Null()]),
  /** The creative's id in the form of the ledgers: see ledger/row-name.ts. */
  crid: Type.String(),
  region: Type.String(),
  sandbox: Type.Boolean(),
  /** The publisher's account; absent where an older edge did not send it. */
  account: Type.Optional(Type.String()),
  /** The start of the budget window in which they were sold; absent where an older edge did not send it. */
  slotMs: Type.Optional(Count),
  /** Absent: 0, as for live impressions. */
  publisherGeneration: Type.Optional(Count),
  dspGeneration: Type.Optional(Count),
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  /** The position of the last impression in the row. */
  changedAt: Type.String(),
});

/**
 * A row of invalid traffic that is alike in everything that a ledger keeps apart: it has no creatives and no budget
 * windows.
 */
export const InvalidRollupRow = Type.Object({
  ...Type.Pick(RollupRow, ['publisher', 'dsp', 'campaign', 'region', 'sandbox', 'account']).properties,
  ...Type.Pick(RollupRow, ['publisherGeneration', 'dspGeneration']).properties,
  /** The counts by the names of actors/ledger/invalid-counts.ts; none ever falls. */
  counts: Type.Record(Type.String(), Count),
  /** The position of the last impression in the row. */
  changedAt: Type.String(),
});

/** A page: one minute of one impression partition. */
export const RollupPage = Type.Object({
  minuteMs: Count,
  /** The position of the last impression on the page. */
  changedAt: Type.String(),
  rows: Type.Array(RollupRow),
  /** Absent: none, as on most pages. */
  invalid: Type.Optional(Type.Array(InvalidRollupRow)),
});

export const ImpressionRollupState = Type.Object({
  /** The pages, oldest first; pages whose last version all ledgers have received are deleted. */
  pages: Type.Array(RollupPage),
  /**
   * The sums of the whole day, both environments, deleted pages included: the ledgers' books must add up to them.
   */
  day: Type.Object({
    impressions: Count,
    grossNanos: Count,
    feeNanos: Count,
    /**
     * The number of accepted ids: each counts with its first entry, valid or not. Absent in states of a release that
     * knew only valid entries; then it equals `impressions`.
     */
    taken: Type.Optional(Count),
    /** Counts of invalid traffic, by the names of actors/ledger/invalid-counts.ts. Absent: none. */
    invalid: Type.Optional(Type.Record(Type.String(), Count)),
    /**
     * The parts of the sums that are of the sandbox: see free-nanos.ts. Absent: none, or not counted by an older
     * release.
     */
    sandbox: Type.Optional(Type.Object({ grossNanos: Count, invalidNanos: Count })),
  }),
  fed: FeedOutbox,
  /**
   * Whether the day is told to ledgers of hours; absent in a state that a release begun which knew ledgers of days
   * alone. It never changes, so that every minute is told to one ledger of an owner.
   */
  byHour: Type.Optional(Type.Literal(true)),
});

export type RollupRow = Static<typeof RollupRow>;
export type InvalidRollupRow = Static<typeof InvalidRollupRow>;
export type RollupPage = Static<typeof RollupPage>;
export type ImpressionRollupState = Static<typeof ImpressionRollupState>;
