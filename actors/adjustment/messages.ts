import Type, { type Static } from 'typebox';
import { INVALID_REASONS } from '../../exchange/invalid-traffic/invalid-reason.ts';

/** Why billed impressions are taken back: a reason of invalid traffic, or what an investigation has found. */
export const ADJUSTMENT_REASONS: readonly string[] = [...Object.keys(INVALID_REASONS), 'investigation'];

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars in decimal: those of a month may be more than a double holds. */
const NanosText = Type.String({ pattern: '^\\d{1,30}$' });

/** What two sources traded with each other, or one campaign with the other side, in a month. */
export const TradedTotals = Type.Object({ impressions: Count, grossNanos: NanosText, feeNanos: NanosText });
export type TradedTotals = Static<typeof TradedTotals>;

/** Takes back impressions that were billed. */
export const BookAdjustment = Type.Object({
  campaignId: Type.Union([Type.String(), Type.Null()]),
  impressions: Type.Integer({ minimum: 1 }),
  grossNanos: NanosText,
  /** A name of {@link ADJUSTMENT_REASONS}, perhaps of a newer release. */
  reason: Type.String({ minLength: 1, maxLength: 32 }),
  /** For operators. */
  note: Type.String({ maxLength: 500 }),
  /** Who has decided it, for people. */
  by: Type.String({ maxLength: 500 }),
  /** What both have traded in the month, as far as the books say when it is asked for; of the campaign alone, when one is named. */
  traded: TradedTotals,
  campaignTraded: Type.Union([TradedTotals, Type.Null()]),
});
export type BookAdjustment = Static<typeof BookAdjustment>;

export const adjustmentMessages = {
  /** Answers the {@link Adjustment} that was booked. CONFLICT: more would be taken back than was traded. */
  book: BookAdjustment,
};
