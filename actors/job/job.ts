import { defineActor } from '../../runtime/actor/define-actor.ts';
import { jobMessages } from './messages.ts';
import { emptyJob, JobState, jobHandlers } from './reduce.ts';

/** What became of the runs of one job. Id: the job's name. Kept by the process that has the right to run jobs, read by all. */
export const job = defineActor({
  kind: 'job',
  schemaVersion: 1,
  saving: 'eager',
  state: JobState,
  messages: jobMessages,
  initial: () => emptyJob,
  handlers: jobHandlers,
});
