import { defineActor } from '../../runtime/actor/define-actor.ts';
import { jobMessages } from './messages.ts';
import { emptyJob, JobState, jobHandlers } from './reduce.ts';

/** A job and the results of its runs. Id: the job's name. The leader writes it, every process reads it. */
export const job = defineActor({
  kind: 'job',
  schemaVersion: 1,
  saving: 'eager',
  state: JobState,
  messages: jobMessages,
  initial: () => emptyJob,
  handlers: jobHandlers,
});
