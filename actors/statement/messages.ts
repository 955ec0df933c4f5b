import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars of a month, in decimal: more than a double holds. */
const NanosText = Type.String({ pattern: '^\\d+$' });

/** Billed impressions of an earlier time that were found to be invalid, taken back in this month (see adjustment/adjustment.ts). */
export const AdjustmentLine = Type.Object({
  /** Of the adjustment. */
  id: Type.String(),
  publisherId: Type.String(),
  dspId: Type.String(),
  campaignId: Type.Union([Type.String(), Type.Null()]),
  /** The month that they were billed in, `yyyy-mm`. */
  period: Type.String(),
  impressions: Count,
  grossNanos: NanosText,
  /** The exchange's share of what the publisher gives back. */
  feeNanos: NanosText,
  reason: Type.String(),
});
export type AdjustmentLine = Static<typeof AdjustmentLine>;

/** What a statement says of its month. */
export const StatementFigures = Type.Object({
  /** `yyyy-mm`. */
  month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }),
  /** Billed in this month, by the log's time. */
  impressions: Count,
  grossNanos: NanosText,
  /** Of these impressions: those that were sold in an earlier month and rendered in this one. */
  lateImpressions: Count,
  lateGrossNanos: NanosText,
  /** The source's fee when the statement was frozen, parts per million. */
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Whole cents: gross − fee = due to a publisher; gross + fee = due from a demand source. */
  grossCents: Type.Integer(),
  feeCents: Type.Integer(),
  dueCents: Type.Integer(),
  /** Invalid traffic, by the names of actors/ledger/invalid-counts.ts, which are not billed. Absent: there was none. */
  invalid: Type.Optional(Type.Record(Type.String(), Count)),
  /** By id. Absent: there are none, and nothing is due but `dueCents`. */
  adjustments: Type.Optional(Type.Array(AdjustmentLine)),
  /** What is due with them. */
  dueAfterCents: Type.Optional(Type.Integer()),
  /** How many ledgers it sums. */
  ledgers: Count,
  /** Of their money, as money-pages.ts writes it; lower-case hex. */
  pagesSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StatementFigures = Static<typeof StatementFigures>;

export const statementMessages = {
  /** Answers the {@link FrozenStatement} that holds from now on: this one, or the one that came first. */
  freeze: StatementFigures,
};
