import Type, { type Static } from 'typebox';
import { INVALID_REASONS } from '../../exchange/invalid-traffic/invalid-reason.ts';

/**
 * The reasons for taking back billed impressions: each reason of invalid traffic, and the finding of an investigation.
 */
export const ADJUSTMENT_REASONS: readonly string[] = [...Object.keys(INVALID_REASONS), 'investigation'];

const Count = Type.Integer({ minimum: 0 });
/** Whole nano-dollars in decimal: the sum of a month may be more than a double holds. */
const NanosText = Type.String({ pattern: '^\\d{1,30}$' });

/** The totals of a trade between two sources, or of one campaign with the other side, in a month. */
export const TradedTotals = Type.Object({ impressions: Count, grossNanos: NanosText, feeNanos: NanosText });
export type TradedTotals = Static<typeof TradedTotals>;

/** Takes back impressions that were billed. */
export const BookAdjustment = Type.Object({
  campaignId: Type.Union([Type.String(), Type.Null()]),
  impressions: Type.Integer({ minimum: 1 }),
  grossNanos: NanosText,
  /** A name of {@link ADJUSTMENT_REASONS}, or one of a newer release. */
  reason: Type.String({ minLength: 1, maxLength: 32 }),
  /** A note for operators. */
  note: Type.String({ maxLength: 500 }),
  /** The person who decided the adjustment, for people. */
  by: Type.String({ maxLength: 500 }),
  /**
   * The totals that both have traded in the month, as far as the books are complete at the request; for one campaign
   * where a campaign is named.
   */
  traded: TradedTotals,
  campaignTraded: Type.Union([TradedTotals, Type.Null()]),
});
export type BookAdjustment = Static<typeof BookAdjustment>;

export const adjustmentMessages = {
  /** Answers the {@link Adjustment} that was booked. CONFLICT when more would be taken back than was traded. */
  book: BookAdjustment,
};
