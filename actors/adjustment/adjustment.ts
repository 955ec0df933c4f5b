import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { readAdjustmentId } from './adjustment-id.ts';
import { adjustmentMessages, BookAdjustment } from './messages.ts';
import { bookAdjustment } from './reduce.ts';

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

/**
 * What of a publisher's trade with a demand source in one month was found to be invalid after it was billed. It is on both sides'
 * statements of the month in which it is booked, from this one document, so both sides agree; a frozen statement never changes.
 */
export const adjustment = defineActor({
  kind: 'adjustment',
  schemaVersion: 1,
  saving: 'eager',
  state: AdjustmentState,
  messages: adjustmentMessages,
  initial: (id): AdjustmentState => ({ ...readAdjustmentId(id), booked: [] }),
  handlers: { book: bookAdjustment },
  indexes: ['publisherId', 'dspId'],
});
