import Type, { type Static } from 'typebox';
import { BookAdjustment } from './messages.ts';

/** One adjustment. It was decided once and is never changed: a mistake is mended outside the books. */
export const Adjustment = Type.Object({
  /** `<id of the actor>:<its number, from 1>`. */
  id: Type.String(),
  /** The month on whose statements it is, `yyyy-mm`: that of the log's time when it was booked. */
  month: Type.String(),
  ...Type.Omit(BookAdjustment, ['traded', 'campaignTraded']).properties,
  /** What of the gross the publisher was charged as the exchange's fee, at the rates of its impressions; whole nano-dollars. */
  feeNanos: BookAdjustment.properties.grossNanos,
  /** Log time, ms since the epoch. */
  bookedAtMs: Type.Integer({ minimum: 0 }),
});
export type Adjustment = Static<typeof Adjustment>;

export const AdjustmentState = Type.Object({
  publisherId: Type.String(),
  dspId: Type.String(),
  /** The month that was traded in, `yyyy-mm`. */
  period: Type.String(),
  /** In the order of their booking. */
  booked: Type.Array(Adjustment),
});
export type AdjustmentState = Static<typeof AdjustmentState>;
