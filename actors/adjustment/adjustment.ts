import { defineActor } from '../../runtime/actor/define-actor.ts';
import { parseAdjustmentId } from './adjustment-id.ts';
import { adjustmentMessages } from './messages.ts';
import { bookAdjustment } from './reduce.ts';
import { AdjustmentState } from './state.ts';

/**
 * The adjustments of one trade: the part of a publisher's trade with a demand source in one month that was found to be
 * invalid after it was billed. Both sides' statements of the month of the booking show it from this one document, so
 * both sides agree; a frozen statement never changes.
 */
export const adjustment = defineActor({
  kind: 'adjustment',
  schemaVersion: 1,
  saving: 'eager',
  audit: { entry: 'message' },
  state: AdjustmentState,
  messages: adjustmentMessages,
  initial: (id): AdjustmentState => ({ ...parseAdjustmentId(id), booked: [] }),
  handlers: { book: bookAdjustment },
  indexes: ['publisherId', 'dspId'],
});
