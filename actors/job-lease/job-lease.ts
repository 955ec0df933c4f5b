import { defineActor } from '../../runtime/actor/define-actor.ts';
import { jobLeaseMessages } from './messages.ts';
import { JobLeaseState, jobLeaseHandlers, unheldJobLease } from './reduce.ts';

/** The id of the exchange's one lease. */
export const EXCHANGE_LEASE_ID = 'exchange';

/**
 * Which of the processes that could run the exchange's jobs does. The right is lent by the log's clock, so that a process
 * that died is replaced when its time has run out, and no two that agree on how long a second lasts have it at once.
 */
export const jobLease = defineActor({
  kind: 'job-lease',
  schemaVersion: 1,
  saving: 'eager',
  state: JobLeaseState,
  messages: jobLeaseMessages,
  initial: () => unheldJobLease,
  handlers: jobLeaseHandlers,
});
