import Type, { type Static } from 'typebox';
import { BookAdjustment } from './messages.ts';

/** One adjustment. It is decided once and never changes: a mistake is corrected outside the books. */
export const Adjustment = Type.Object({
  /** `<id of the actor>:<number, from 1>`. */
  id: Type.String(),
  /** The month of the statements that show it, `yyyy-mm`, by the log's time of the booking. */
  month: Type.String(),
  ...Type.Omit(BookAdjustment, ['traded', 'campaignTraded']).properties,
  /**
   * The part of the gross that the publisher was charged as the exchange's fee, at the rates of its impressions; whole
   * nano-dollars.
   */
  feeNanos: BookAdjustment.properties.grossNanos,
  /** The log's time of the booking, ms since the epoch. */
  bookedAtMs: Type.Integer({ minimum: 0 }),
});
export type Adjustment = Static<typeof Adjustment>;

export const AdjustmentState = Type.Object({
  publisherId: Type.String(),
  dspId: Type.String(),
  /** The month of the trade, `yyyy-mm`. */
  period: Type.String(),
  /** The adjustments in the order of their booking. */
  booked: Type.Array(Adjustment),
});
export type AdjustmentState = Static<typeof AdjustmentState>;
