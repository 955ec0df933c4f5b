import Type from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { EXCHANGE_LEASE_ID, jobLease } from '#actors/job-lease/job-lease';
import { type JobLeaseState, unheldJobLease } from '#actors/job-lease/reduce';
import { defineRoute } from '../../routing/route.ts';
import { Job, showJob } from './job.ts';

const Worker = Type.Object(
  {
    name: Type.String(),
    purpose: Type.String(),
    since: Nullable(Timestamp),
  },
  { title: 'Duty' },
);

const Scheduler = Type.Object({
  process: Type.String({ description: 'One run of one process; its log lines name it.' }),
  since: Timestamp,
  until: Type.String({
    format: 'date-time',
    description:
      'Unless it is prolonged, as it is every few seconds. In the past: the process has died, or cannot reach the log.',
  }),
});

export const listJobs = defineRoute({
  method: 'GET',
  path: '/api/jobs',
  tag: 'Operators',
  operationId: 'listJobs',
  summary: 'List what happens by the clock: each job with its last and its next run, and what goes on all the time',
  description:
    'One process of those with the role `scheduler` runs all of it; where that process dies, another goes on within seconds. `scheduler` is null, and duties have no `since`, while none does.',
  access: 'operator',
  answer: {
    status: 200,
    schema: Type.Object({ jobs: Type.Array(Job), duties: Type.Array(Worker), scheduler: Nullable(Scheduler) }),
  },
  async handle({ parts: { store } }) {
    const [document] = await store.load([{ kind: jobLease.kind, id: EXCHANGE_LEASE_ID }]);
    const { process, sinceMs, untilMs, jobs, duties } =
      (document?.state as JobLeaseState | undefined) ?? unheldJobLease;
    const documents = await store.load(jobs.map((id) => ({ kind: job.kind, id })));
    const shown = documents.map((found) => found && showJob(found.id, found.state as JobState));
    const since = process === null ? null : new Date(sinceMs).toISOString();
    return {
      jobs: shown.filter((one) => one !== null),
      duties: duties.map(({ name, purpose }) => ({ name, purpose, since })),
      scheduler: process === null ? null : { process, since: since!, until: new Date(untilMs).toISOString() },
    };
  },
});
