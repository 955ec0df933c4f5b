import { defineActor } from '../../runtime/actor/define-actor.ts';
import { schedulerMessages } from './messages.ts';
import { nobody, reduceScheduler, SchedulerState } from './reduce.ts';

/** The id of the exchange's one scheduler. */
export const EXCHANGE = 'exchange';

/**
 * Which of the processes that could run the exchange's jobs does. The right is lent by the log's clock, so that a process
 * that died is replaced when its time has run out, and no two that agree on how long a second lasts have it at once.
 */
export const scheduler = defineActor({
  kind: 'scheduler',
  schemaVersion: 1,
  saving: 'eager',
  state: SchedulerState,
  messages: schedulerMessages,
  initial: () => nobody,
  handle: reduceScheduler,
});
