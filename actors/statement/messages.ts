import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars of a month, in decimal: more than a double holds. */
const NanosText = Type.String({ pattern: '^\\d+$' });

/**
 * One adjustment line: billed impressions of an earlier time that were found to be invalid, taken back in this month
 * (see adjustment/adjustment.ts).
 */
export const AdjustmentLine = Type.Object({
  /** The id of the adjustment. */
  id: Type.String(),
  publisherId: Type.String(),
  dspId: Type.String(),
  campaignId: Type.Union([Type.String(), Type.Null()]),
  /** The month in which they were billed, `yyyy-mm`. */
  period: Type.String(),
  impressions: Count,
  grossNanos: NanosText,
  /** The exchange's share of the sum that the publisher gives back. */
  feeNanos: NanosText,
  reason: Type.String(),
});
export type AdjustmentLine = Static<typeof AdjustmentLine>;

/** The figures of a statement. */
export const StatementFigures = Type.Object({
  /** `yyyy-mm`. */
  month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }),
  /** The impressions billed in this month, by the log's time. */
  impressions: Count,
  grossNanos: NanosText,
  /** Those of these impressions that were sold in an earlier month and rendered in this one. */
  lateImpressions: Count,
  lateGrossNanos: NanosText,
  /** The source's fee when the statement was frozen, parts per million. */
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Whole cents: gross − fee = due to a publisher; gross + fee = due from a demand source. */
  grossCents: Type.Integer(),
  feeCents: Type.Integer(),
  dueCents: Type.Integer(),
  /**
   * Counts of invalid traffic, which is not billed, by the names of actors/ledger/invalid-counts.ts. Absent: there was
   * none.
   */
  invalid: Type.Optional(Type.Record(Type.String(), Count)),
  /** The adjustments by id. Absent: there are none, and only `dueCents` is due. */
  adjustments: Type.Optional(Type.Array(AdjustmentLine)),
  /** The due sum with the adjustments. */
  dueAfterCents: Type.Optional(Type.Integer()),
  /** The number of ledgers that the statement sums. */
  ledgers: Count,
  /** The SHA-256 of the ledgers' money in the form of canonical-text.ts; lower-case hex. */
  pagesSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StatementFigures = Static<typeof StatementFigures>;

export const statementMessages = {
  /** Freezes the statement. Answers the {@link FrozenStatement} that holds from now on: this one, or the first. */
  freeze: StatementFigures,
};
