import { defineActor } from '../../runtime/actor/define-actor.ts';
import { parseAdjustmentId } from './adjustment-id.ts';
import { adjustmentMessages } from './messages.ts';
import { bookAdjustment } from './reduce.ts';
import { AdjustmentState } from './state.ts';

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
  initial: (id): AdjustmentState => ({ ...parseAdjustmentId(id), booked: [] }),
  handlers: { book: bookAdjustment },
  indexes: ['publisherId', 'dspId'],
});
