import { defineActor } from '../../runtime/actor/define-actor.ts';
import { jobLeaseMessages } from './messages.ts';
import { JobLeaseState, jobLeaseHandlers, unheldJobLease } from './reduce.ts';

/** The id of the exchange's one leader lease. */
export const EXCHANGE_LEASE_ID = 'exchange';

/**
 * The leader lease: which of the processes that could run the exchange's jobs is the leader. The lease runs by the
 * log's clock, so that a dead process is replaced when its lease has expired, and no two processes whose clocks run at
 * the same pace are leaders at once.
 */
export const jobLease = defineActor({
  kind: 'job-lease',
  schemaVersion: 1,
  saving: 'eager',
  audit: { entry: 'message', none: { hold: 'Processes ask for it.', 'let-go': 'Processes ask for it.' } },
  state: JobLeaseState,
  messages: jobLeaseMessages,
  initial: () => unheldJobLease,
  handlers: jobLeaseHandlers,
});
