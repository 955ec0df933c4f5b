import Type from 'typebox';
import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { EXCHANGE_LEASE_ID, jobLease } from '#actors/job-lease/job-lease';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { Job, showJob } from './job.ts';

export const runJob = defineRoute({
  method: 'POST',
  path: '/api/jobs/:name/run',
  tag: 'Operators',
  operationId: 'runJob',
  summary: 'Have a job run now',
  description:
    'For the date that it is to run for, or has last run for: what was done for that date already is not done twice. It begins within seconds, when the process that runs jobs hears of it, or when its present run has ended; the answer shows the job as it was before. A run that begins after the call follows each call: asked for again before that process has heard of it, it runs once for both.',
  access: 'operator',
  params: Type.Object({ name: Type.String({ pattern: '^[a-z0-9-]{1,64}$' }) }),
  errors: ['NOT_FOUND'],
  answer: { status: 200, schema: Job },
  async handle({ params: { name }, identity, parts: { messenger, store } }) {
    await messenger.ask(jobLease, EXCHANGE_LEASE_ID, 'request', { job: name }, { requestId: identity.askId() });
    const [document] = await store.load([{ kind: job.kind, id: name }]);
    const shown = document && showJob(name, document.state as JobState);
    if (!shown) throw new ApiError('NOT_FOUND', 'The job has not been told of yet.');
    return shown;
  },
});
