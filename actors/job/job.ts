import { defineActor } from '../../runtime/actor/define-actor.ts';
import { jobMessages } from './messages.ts';
import { emptyJob, JobState, jobHandlers } from './reduce.ts';

/** A job and the results of its runs. Id: the job's name. The leader writes it, every process reads it. */
export const job = defineActor({
  kind: 'job',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They note the runs of jobs; asking for one is an entry of the lease.' },
  state: JobState,
  messages: jobMessages,
  initial: () => emptyJob,
  handlers: jobHandlers,
});
